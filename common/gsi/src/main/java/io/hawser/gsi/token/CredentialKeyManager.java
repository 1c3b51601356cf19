package io.hawser.gsi.token;

import io.hawser.gsi.credential.Credential;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents one credential whenever its key is of the requested type. Ignores the peer's list of CAs, which never has a proxy's issuer.
 */
final class CredentialKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";

    private final Credential credential;

    CredentialKeyManager(Credential credential) {
        this.credential = credential;
    }

    /** TLS requests "RSA", "RSASSA-PSS", "ECDHE_RSA", "EC", "EC/secp256r1" and the like, and refuses an unsuitable key itself. */
    private @Nullable String alias(@Nullable String... types) {
        String algorithm = credential.key().getAlgorithm();
        for (String type : types) {
            if (type != null && (type.contains(algorithm) || (algorithm.equals("EC") && type.contains("ECDSA")))) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(type);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(types);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(type);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return credential.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return credential.key();
    }
}
