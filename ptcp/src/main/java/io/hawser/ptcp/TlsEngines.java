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
 * The one place that knows which TLS there is for connections of PTCP: BoringSSL, which comes as native code with Netty, where it can
 * be loaded; the JDK's elsewhere, and where the system property {@value #JDK_PROPERTY} is {@code true}. Both speak TLS 1.3 with each
 * other; keys, and who is believed, are the builder's with either.
 *
 * <p>Thread: any.
 */
public final class TlsEngines {
    /** Set to {@code true} to use the JDK's TLS also where BoringSSL can be loaded. */
    public static final String JDK_PROPERTY = "hawser.tls.jdk";

    /** After how many bytes sent a data channel behind TLS is replaced, which gives it new keys. */
    static final String KEY_BYTES_PROPERTY = "hawser.tls.key.bytes";

    /**
     * AES-GCM is good for 2^24.5 records of 16 KiB under one key (RFC 8446, section 5.5), which are 389 GB. The JDK changes its keys by
     * itself, BoringSSL does not.
     */
    private static final long MOST_KEY_BYTES = 256L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(TlsEngines.class);

    static {
        NettyLogging.useSlf4j();
    }

    private TlsEngines() {}

    /**
     * Makes a context for PTCP with the best TLS that there is. With BoringSSL no session is ever resumed: whoever connects shows
     * the certificate that he has now.
     *
     * @param trusted whom this side believes
     */
    public static SslContext build(SslContextBuilder builder, X509ExtendedTrustManager trusted) throws SSLException {
        return build(builder, trusted, isNative());
    }

    static SslContext build(SslContextBuilder builder, X509ExtendedTrustManager trusted, boolean inNativeCode)
            throws SSLException {
        SslContext context = builder.sslProvider(inNativeCode ? SslProvider.OPENSSL : SslProvider.JDK)
                .trustManager(inNativeCode ? new RejectingTrust(trusted) : trusted)
                .build();
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(false);
        }
        return context;
    }

    /** Which TLS is used for contexts that are made now: {@code BoringSSL} or {@code JDK}. */
    public static String name() {
        return isNative() ? Loaded.NATIVE : "JDK";
    }

    static boolean isNative() {
        return !Boolean.getBoolean(JDK_PROPERTY) && Loaded.PROBLEM.isEmpty();
    }

    static long keyBytes() {
        return Long.getLong(KEY_BYTES_PROPERTY, MOST_KEY_BYTES);
    }

    /** BoringSSL, loaded when it is asked for first. */
    private static final class Loaded {
        static final String NATIVE = "BoringSSL";

        /** Why it cannot be used; told once. */
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
