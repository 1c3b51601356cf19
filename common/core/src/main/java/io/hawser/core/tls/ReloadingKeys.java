package io.hawser.core.tls;

import io.hawser.core.access.Identity;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager and a trust manager that use the current keys at each handshake, so that renewed files need no restart.
 *
 * <p>Thread: any.
 */
final class ReloadingKeys {
    private static final String ALIAS = "node";

    private final Supplier<CheckedKeys> keys;
    private final OwnKeys own = new OwnKeys();
    private final Trust anyNode = new Trust(null);
    private final Trust brokersOnly = new Trust(Role.BROKER);

    ReloadingKeys(Supplier<CheckedKeys> keys) {
        this.keys = keys;
    }

    X509ExtendedKeyManager keyManager() {
        return own;
    }

    X509ExtendedTrustManager trustManager() {
        return anyNode;
    }

    /** Trusts only brokers as acceptors: otherwise any node with a certificate for the dialled name could act as the broker. */
    X509ExtendedTrustManager brokerTrustManager() {
        return brokersOnly;
    }

    private final class OwnKeys extends X509ExtendedKeyManager {
        private String[] aliases(String keyType) {
            return keys.get().key().getAlgorithm().equals(keyType) ? new String[] {ALIAS} : new String[0];
        }

        private @Nullable String choose(String... keyTypes) {
            String own = keys.get().key().getAlgorithm();
            return List.of(keyTypes).contains(own) ? ALIAS : null;
        }

        @Override
        public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return aliases(keyType);
        }

        @Override
        public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return aliases(keyType);
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return choose(keyTypes);
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return choose(keyType);
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return choose(keyTypes);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return choose(keyType);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            CheckedKeys now = keys.get();
            return new X509Certificate[] {now.certificate(), now.ca()};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return keys.get().key();
        }
    }

    /** Trusts certificates of the CA, by the JDK's rules. */
    private final class Trust extends X509ExtendedTrustManager {
        private final @Nullable Role acceptor;

        /** @param acceptor the role that a server must have; null for any */
        Trust(@Nullable Role acceptor) {
            this.acceptor = acceptor;
        }

        private X509ExtendedTrustManager jdk() throws CertificateException {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                int number = 0;
                for (X509Certificate ca : keys.get().trusted()) {
                    store.setCertificateEntry("ca" + number++, ca);
                }
                TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
                factory.init(store);
                for (TrustManager manager : factory.getTrustManagers()) {
                    if (manager instanceof X509ExtendedTrustManager found) {
                        return found;
                    }
                }
                throw new CertificateException("this JVM has no trust manager for X.509");
            } catch (GeneralSecurityException | IOException e) {
                throw new CertificateException("this JVM cannot check certificates: " + e.getMessage(), e);
            }
        }

        private void refuseOthers(X509Certificate[] chain) throws CertificateException {
            Identity identity = CertificateIdentity.identity(chain[0]);
            if (acceptor != null && !identity.mayBe(acceptor.fileName())) {
                throw new CertificateException(
                        "the certificate is for " + identity.text() + ", not for a " + acceptor.fileName());
            }
            if (keys.get().isRevoked(chain[0])) {
                throw new CertificateException("the certificate of "
                        + chain[0].getSubjectX500Principal().getName() + " was revoked");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            jdk().checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            jdk().checkClientTrusted(chain, authType, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            jdk().checkClientTrusted(chain, authType, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            jdk().checkServerTrusted(chain, authType);
            refuseOthers(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            jdk().checkServerTrusted(chain, authType, socket);
            refuseOthers(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            jdk().checkServerTrusted(chain, authType, engine);
            refuseOthers(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return keys.get().trusted().toArray(X509Certificate[]::new);
        }
    }
}
