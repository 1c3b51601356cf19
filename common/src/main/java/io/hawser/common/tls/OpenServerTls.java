package io.hawser.common.tls;

import io.hawser.common.config.ConfigException;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * TLS of a server for any client, such as one of FTPS: it shows a certificate and asks for none. TLS 1.3 and 1.2 with
 * authenticated ciphers and forward secrecy (RFC 9325). All connections of one context share its session cache.
 *
 * <p>Thread: any.
 */
public final class OpenServerTls {
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
    private static final long SESSIONS = 4096;
    private static final long SESSION_SECONDS = 3600;

    private OpenServerTls() {}

    /**
     * A context with a certificate chain and a private key in PEM files.
     *
     * @throws ConfigException with a sentence that says what is wrong
     */
    public static SslContext load(Path certificates, Path key) {
        for (Path file : List.of(certificates, key)) {
            if (!Files.isReadable(file)) {
                throw new ConfigException("cannot read " + file);
            }
        }
        KeyFiles.refuseSharedKey(key);
        try {
            return context(SslContextBuilder.forServer(certificates.toFile(), key.toFile()));
        } catch (IllegalArgumentException | SSLException e) {
            throw new ConfigException(certificates + " and " + key
                    + " are not a certificate chain and its private key in PEM form: " + e.getMessage());
        }
    }

    static SslContext context(SslContextBuilder builder) throws SSLException {
        return builder.sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .ciphers(CIPHERS)
                .sessionCacheSize(SESSIONS)
                .sessionTimeout(SESSION_SECONDS)
                .build();
    }
}
