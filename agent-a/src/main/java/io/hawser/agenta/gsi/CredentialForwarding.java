package io.hawser.agenta.gsi;

import io.hawser.core.model.GridCredential;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.SealedCredential;
import io.hawser.store.spool.UploadRequest;
import java.security.cert.X509Certificate;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a user has delegated continues with each transfer of his: sealed for the far end of its topic, and for that transfer alone. So the
 * far end can log in at its server as that user, and no node in between can.
 *
 * <p>Thread: the loop. Nothing is decrypted here.
 */
final class CredentialForwarding {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialForwarding.class);

    private CredentialForwarding() {}

    /** What goes along with the transfers of {@code request}; nothing where the topic's far end gets no credentials. */
    static UploadRequest with(UploadRequest request, GsiLogin login) {
        if (login.delegated().isEmpty()) {
            return request;
        }
        X509Certificate recipient = login.recipients().get(request.topic().name());
        Credential credential = login.delegated().get();
        return recipient == null
                ? request
                : request.withKeyed(
                        key -> attributes(credential, recipient, key, request.topic(), request.kind(), request.name()));
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
