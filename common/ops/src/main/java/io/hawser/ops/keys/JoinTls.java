package io.hawser.ops.keys;

import io.hawser.core.tls.CertificateIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * TLS between a node that joins and the enrolment server. The server makes a certificate when it starts, with a key in memory only. The caller
 * knows the CA's fingerprint and accepts only that certificate, not those of nodes: otherwise any node could collect tokens.
 */
final class JoinTls {
    private static final String PROTOCOL = "TLSv1.3";
    private static final char[] IN_MEMORY = "unused".toCharArray();

    private JoinTls() {}

    static SSLContext server(CertificateAuthority ca, Instant now, Duration validity) throws IOException {
        try {
            KeyPair pair = CertificateAuthority.newKeyPair();
            X509Certificate certificate = ca.issueEnrolment(pair.getPublic(), now, validity);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("join", pair.getPrivate(), IN_MEMORY, new Certificate[] {certificate, ca.certificate()});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, IN_MEMORY);
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(factory.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM cannot use EC keys for TLS 1.3: " + e.getMessage(), e);
        }
    }

    /** Trusts the CA with that fingerprint, and presents no certificate. */
    static SSLContext client(String fingerprint) {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(null, new TrustManager[] {new EnrolmentTrust(fingerprint)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS 1.3", e);
        }
    }

    /** Trusts only the enrolment server of the CA in a token. */
    private record EnrolmentTrust(String fingerprint) implements X509TrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            X509Certificate ca = chain[chain.length - 1];
            if (chain.length != 2 || !JoinToken.same(JoinToken.fingerprint(ca), fingerprint)) {
                throw new CertificateException("its certificate is not of the CA that the token names");
            }
            try {
                ca.checkValidity();
                chain[0].checkValidity();
                chain[0].verify(ca.getPublicKey());
            } catch (GeneralSecurityException e) {
                throw new CertificateException("its certificate is not valid: " + e.getMessage(), e);
            }
            if (!CertificateIdentity.identity(chain[0]).name().equals(JoinServer.NAME)) {
                throw new CertificateException("it is a node, not the enrolment server");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("this end is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
