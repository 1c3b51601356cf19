package io.hawser.ptcp;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the TLS of PTCP connections: BoringSSL (native code in Netty) where it can be loaded, the JDK's elsewhere or if the system property {@value #JDK_PROPERTY} is {@code true}. Both interoperate over TLS 1.3. With either, keys and trust are the builder's.
 *
 * <p>Any thread may call any method; none blocks, except that the first use loads the native library.
 */
public final class TlsProviders {
    /** Set to {@code true} to use the JDK's TLS also where BoringSSL can be loaded. */
    public static final String JDK_PROPERTY = "hawser.tls.jdk";

    /** The bytes after which a data channel with TLS is replaced, which gives it new keys. */
    static final String KEY_BYTES_PROPERTY = "hawser.tls.key.bytes";

    /**
     * AES-GCM is good for 2^24.5 records of 16 KiB under one key (RFC 8446, section 5.5), which are 389 GB. The JDK changes its keys by
     * itself, BoringSSL does not.
     */
    private static final long MAX_KEY_BYTES = 256L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(TlsProviders.class);

    static {
        NettyLogging.useSlf4j();
    }

    private TlsProviders() {}

    /**
     * Builds a context with the best TLS. With BoringSSL no session is resumed, so each connection shows its peer's current certificate.
     *
     * @param trusted decides which peers to trust
     * @throws SSLException if the keys cannot be used
     */
    public static SslContext build(SslContextBuilder builder, X509ExtendedTrustManager trusted) throws SSLException {
        return build(builder, trusted, isNative());
    }

    static SslContext build(SslContextBuilder builder, X509ExtendedTrustManager trusted, boolean inNativeCode)
            throws SSLException {
        SslContext context = builder.sslProvider(inNativeCode ? SslProvider.OPENSSL : SslProvider.JDK)
                .trustManager(inNativeCode ? new AlertingTrustManager(trusted) : trusted)
                .build();
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(false);
        }
        return context;
    }

    /** The TLS of contexts that are built now: {@code BoringSSL} or {@code JDK}. */
    public static String name() {
        return isNative() ? Loaded.NATIVE : "JDK";
    }

    static boolean isNative() {
        return !Boolean.getBoolean(JDK_PROPERTY) && Loaded.PROBLEM.isEmpty();
    }

    static long keyBytes() {
        return Long.getLong(KEY_BYTES_PROPERTY, MAX_KEY_BYTES);
    }

    /** Loads BoringSSL at its first use. */
    private static final class Loaded {
        static final String NATIVE = "BoringSSL";

        /** Why it cannot be used; logged once. */
        static final Optional<String> PROBLEM = problem();

        static {
            PROBLEM.ifPresent(problem -> LOG.atInfo()
                    .addKeyValue("problem", problem)
                    .log("BoringSSL cannot be loaded: TLS is the JDK's, which takes more of the processor"));
        }

        private static Optional<String> problem() {
            if (!OpenSsl.isAvailable()) {
                return Optional.of(String.valueOf(OpenSsl.unavailabilityCause()));
            }
            String found = OpenSsl.versionString();
            return NATIVE.equals(found) ? Optional.empty() : Optional.of("the library is " + found);
        }
    }
}
