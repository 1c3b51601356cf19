package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.Purpose;
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
 * TLS of one connection, for its one handshake: TLS 1.3 or 1.2 with both ends' certificates, without tickets or resumption.
 *
 * <p>It is Bouncy Castle's. The JDK's own refuses grid clients (they send a person's name where a host name belongs), and sends
 * session tickets, which a peer on an authenticated clear data connection takes for the file's first bytes.
 *
 * <p>Thread: one at a time. What {@link #engine} does in a handshake takes milliseconds: signatures, and the peer's validation.
 */
public final class GsiTls {
    private static final BouncyCastleJsseProvider PROVIDER = new BouncyCastleJsseProvider(false, new GsiCrypto());

    /** Kept, since a logger that nobody holds forgets its level. It tells each handshake's settings at INFO. */
    private static final Logger QUIET = Logger.getLogger("org.bouncycastle.jsse");

    static {
        QUIET.setLevel(Level.SEVERE);
    }

    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
    /** Those that every peer has and the processor helps with come first, and of these the ones with fewer rounds, as between nodes. */
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
     * An end of a connection.
     *
     * @param initiator whether it begins, as TLS client
     * @param own what it shows
     * @param validator who it believes
     * @param purpose what the peer uses its certificate for
     */
    public static GsiTls open(boolean initiator, Credential own, PeerValidator validator, Purpose purpose)
            throws GsiException {
        PeerTrustManager trust = new PeerTrustManager(validator, purpose);
        try {
            SSLContext context = SSLContext.getInstance("TLS", PROVIDER);
            context.init(
                    new KeyManager[] {new CredentialKeyManager(own)}, new TrustManager[] {trust}, new SecureRandom());
            SSLEngine engine = context.createSSLEngine(); // without a peer's name: nothing can be resumed
            engine.setUseClientMode(initiator);
            engine.setNeedClientAuth(!initiator);
            engine.setEnabledProtocols(PROTOCOLS.toArray(String[]::new));
            engine.setEnabledCipherSuites(CIPHER_SUITES.toArray(String[]::new));
            return new GsiTls(engine, trust);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new GsiException("TLS cannot be set up with " + own, e);
        }
    }

    /** The engine, of which no handshake has begun. */
    public SSLEngine engine() {
        return engine;
    }

    /** Who the peer is; throws if it has not been validated. */
    public ValidatedPeer peer() throws GsiException {
        return trust.peer().orElseThrow(() -> new GsiException("the peer has shown no certificate"));
    }

    /** Why the peer was refused, if it was. */
    public Optional<String> refusal() {
        return trust.refusal();
    }
}
