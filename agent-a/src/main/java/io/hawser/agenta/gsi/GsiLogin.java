package io.hawser.agenta.gsi;

import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.store.spool.UploadRequest;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;

/**
 * A login by GSI.
 *
 * @param identity the name of its end entity
 * @param delegated the credential that it has given this server; it lives in memory and as long as the session
 * @param recipients the far ends that get it, sealed, with what is uploaded, by topic
 */
public record GsiLogin(
        DistinguishedName identity, Optional<Credential> delegated, Map<String, X509Certificate> recipients) {
    /** The same request; where the topic's far end logs in as the user, with the credential for that. */
    public UploadRequest withCredential(UploadRequest request) {
        return CredentialForwarding.with(request, this);
    }
}
