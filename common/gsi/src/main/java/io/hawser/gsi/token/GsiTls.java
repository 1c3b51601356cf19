package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.ValidatedPeer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.bouncycastle.jsse.provider.BouncyCastleJsseProvider;

/**
 * TLS of one connection: TLS 1.3 or 1.2 with certificates of both ends, without tickets or resumption.
 *
 * <p>The implementation is Bouncy Castle's. The JDK's refuses grid clients, which send a person's name as the server name, and it sends session
 * tickets, which a peer on an authenticated clear data connection takes for the file's first bytes.
 *
 * <p>Thread: one at a time. A handshake of {@link #engine} takes milliseconds, for signatures and the peer's validation.
 */
public final class GsiTls {
    private static final BouncyCastleJsseProvider PROVIDER =
            new BouncyCastleJsseProvider(false, new JdkFirstTlsCrypto());

    /** Referenced, since an unreferenced logger loses its level. It would log each handshake's settings at INFO. */
    private static final Logger QUIET = Logger.getLogger("org.bouncycastle.jsse");

    static {
        QUIET.setLevel(Level.SEVERE);
    }

    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
    /** First those that every peer has and the processor accelerates, of these first those with fewer rounds, as between nodes. */
    private static final List<String> CIPHER_SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256");

    private final SSLEngine engine;
    private final PeerTrustManager trust;

    private GsiTls(SSLEngine engine, PeerTrustManager trust) {
        this.engine = engine;
        this.trust = trust;
    }

    /**
     * Sets up one end of a connection.
     *
     * @param initiator whether it is the TLS client
     * @param own its credential
     * @param validator validates the peer
     * @param purpose of the peer's certificate
     */
    public static GsiTls open(boolean initiator, Credential own, PeerValidator validator, CertificatePurpose purpose)
            throws GsiException {
        PeerTrustManager trust = new PeerTrustManager(validator, purpose);
        try {
            SSLContext context = SSLContext.getInstance("TLS", PROVIDER);
            context.init(
                    new KeyManager[] {new CredentialKeyManager(own)}, new TrustManager[] {trust}, new SecureRandom());
            SSLEngine engine = context.createSSLEngine(); // without a peer's name, which prevents resumption
            engine.setUseClientMode(initiator);
            engine.setNeedClientAuth(!initiator);
            engine.setEnabledProtocols(PROTOCOLS.toArray(String[]::new));
            engine.setEnabledCipherSuites(CIPHER_SUITES.toArray(String[]::new));
            return new GsiTls(engine, trust);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new GsiException("TLS cannot be set up with " + own, e);
        }
    }

    /** The engine, before its handshake. */
    public SSLEngine engine() {
        return engine;
    }

    /** The peer; throws unless it has been validated. */
    public ValidatedPeer peer() throws GsiException {
        return trust.peer().orElseThrow(() -> new GsiException("the peer has sent no certificate"));
    }

    /** Why the peer was refused, if it was. */
    public Optional<String> refusal() {
        return trust.refusal();
    }
}
