package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.CertificatePurpose;
import io.hawser.gsi.path.PeerValidator;
import io.hawser.gsi.path.ValidatedPeer;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Validates the peer of one connection and remembers it. Each connection has its own instance, so that it cannot be mixed up with another peer. (It
 * extends X509ExtendedTrustManager, since TLS adds checks to the plain type that proxies do not pass.)
 *
 * <p>Thread: the one that runs the handshake.
 */
final class PeerTrustManager extends X509ExtendedTrustManager {
    private final PeerValidator validator;
    private final CertificatePurpose purpose;
    private volatile @Nullable ValidatedPeer peer;
    private volatile @Nullable String refusal;

    PeerTrustManager(PeerValidator validator, CertificatePurpose purpose) {
        this.validator = validator;
        this.purpose = purpose;
    }

    /** The peer; empty until it is validated. */
    Optional<ValidatedPeer> peer() {
        return Optional.ofNullable(peer);
    }

    /** Why it was refused; empty unless it was. */
    Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        try {
            peer = validator.validate(List.of(chain), purpose);
        } catch (GsiException e) {
            refusal = e.why();
            throw new CertificateException(e.why(), e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    /** None: the list would be long, and a proxy's issuer is not in it. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
