package io.hawser.ptcp;

import io.netty.handler.ssl.OpenSslCertificateException;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Delegates to another trust manager and gives BoringSSL a reason for a refusal, so that the peer gets an alert about its certificate; without one BoringSSL sends "internal error" (RFC 8446, section 6.2).
 *
 * <p>Thread: any.
 */
final class AlertingTrustManager extends X509ExtendedTrustManager {
    /** X509_V_ERR_CERT_REJECTED: the peer is sent the alert bad_certificate. */
    private static final int REJECTED = 28;

    private final X509ExtendedTrustManager inner;

    AlertingTrustManager(X509ExtendedTrustManager inner) {
        this.inner = inner;
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private static void check(Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            throw new OpenSslCertificateException(e.getMessage(), e, REJECTED);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(() -> inner.checkClientTrusted(chain, authType));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(() -> inner.checkClientTrusted(chain, authType, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(() -> inner.checkClientTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(() -> inner.checkServerTrusted(chain, authType));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(() -> inner.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(() -> inner.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return inner.getAcceptedIssuers();
    }
}
