package io.hawser.core.tls;

import io.hawser.core.config.ConfigException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

/**
 * TLS of a server for any client, such as FTPS: the server shows a certificate and asks for none. TLS 1.3 and 1.2 with authenticated
 * ciphers and forward secrecy (RFC 9325). A session can be resumed only within the context that it began in.
 *
 * <p>Thread: any.
 */
public final class OneWayTls {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
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
    /** The most remembered sessions of clients without tickets; the least recently used is evicted. */
    private static final int SESSIONS = 16;
    /** As long as TLS 1.3 allows (RFC 8446 section 4.6.1): a control connection may be open for days. */
    private static final int SESSION_SECONDS = 7 * 24 * 3600;

    private final KeyManager[] keys;

    private OneWayTls(KeyManager[] keys) {
        this.keys = keys;
        newContext(); // the first one takes 100 ms, and fails here if the JVM cannot use the keys
    }

    static OneWayTls of(KeyManager keys) {
        return new OneWayTls(new KeyManager[] {keys});
    }

    /**
     * With a certificate chain and a private key in PEM files.
     *
     * @throws ConfigException with a sentence for the user
     */
    public static OneWayTls load(Path certificates, Path key) {
        for (Path file : List.of(certificates, key)) {
            if (!Files.isReadable(file)) {
                throw new ConfigException(
                        "cannot read " + file + (Files.exists(file) ? ": permission denied" : ": no such file"));
            }
        }
        CheckedKeys.refuseSharedKey(key);
        try {
            return new OneWayTls(PemKeys.read(certificates, key));
        } catch (IllegalArgumentException | GeneralSecurityException | IOException e) {
            throw new ConfigException(certificates + " and " + key
                    + " are not a certificate chain and its private key in PEM form: " + e.getMessage());
        }
    }

    /**
     * A new context with sessions of its own. It is cheap: the keys are loaded, and no CAs are needed without client certificates.
     */
    public SslContext newContext() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[0], null);
            SSLSessionContext sessions = context.getServerSessionContext();
            sessions.setSessionCacheSize(SESSIONS);
            sessions.setSessionTimeout(SESSION_SECONDS);
            return new JdkSslContext(
                    context,
                    false,
                    CIPHERS,
                    IdentityCipherSuiteFilter.INSTANCE,
                    null,
                    ClientAuth.NONE,
                    PROTOCOLS,
                    false);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot use the keys: " + e.getMessage(), e);
        }
    }

    /** Netty's reader of PEM files, which only subclasses may call. */
    private abstract static class PemKeys extends SslContext {
        static KeyManager[] read(Path certificates, Path key) throws GeneralSecurityException, IOException {
            return buildKeyManagerFactory(
                            toX509Certificates(certificates.toFile()),
                            KeyManagerFactory.getDefaultAlgorithm(),
                            toPrivateKey(key.toFile(), null),
                            null,
                            null,
                            null)
                    .getKeyManagers();
        }
    }
}
