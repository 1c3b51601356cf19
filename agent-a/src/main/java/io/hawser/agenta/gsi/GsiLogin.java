package io.hawser.agenta.gsi;

import io.hawser.core.model.GridCredential;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.SealedCredential;
import io.hawser.gsi.name.DistinguishedName;
import io.hawser.store.spool.UploadRequest;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A login by GSI. What its user has delegated continues with each transfer: sealed for the far end of its topic, and for that transfer
 * alone. So the far end can log in at its server as that user, and no node in between can.
 *
 * @param identity the name of its end entity
 * @param delegated the credential that it has given this server; it lives in memory and as long as the session
 * @param recipients the far ends that get it, sealed, with what is uploaded, by topic
 */
public record GsiLogin(
        DistinguishedName identity, Optional<Credential> delegated, Map<String, X509Certificate> recipients) {
    private static final Logger LOG = LoggerFactory.getLogger(GsiLogin.class);

    /** The same request; where the topic's far end logs in as the user, with the credential for that. */
    public UploadRequest withCredential(UploadRequest request) {
        X509Certificate recipient = recipients.get(request.topic().name());
        return delegated.isEmpty() || recipient == null
                ? request
                : request.withKeyed(key ->
                        attributes(delegated.get(), recipient, key, request.topic(), request.kind(), request.name()));
    }

    private static Map<String, String> attributes(
            Credential credential,
            X509Certificate recipient,
            TransferKey key,
            Topic topic,
            TransferKind kind,
            String name) {
        String identity = credential.identity().toString();
        try {
            byte[] purpose = GridCredential.purpose(key, topic, kind, name, identity);
            byte[] sealed = SealedCredential.seal(credential, recipient, purpose);
            return GridCredential.sealed(identity, credential.notAfter().toEpochMilli(), sealed)
                    .attributes();
        } catch (GsiException | IllegalArgumentException e) {
            LOG.atError()
                    .addKeyValue("identity", identity)
                    .addKeyValue("reason", e.getMessage())
                    .log("a delegated credential cannot be passed on; the far end will hold the transfer back");
            return Map.of();
        }
    }
}
