package io.hawser.broker.session;

import io.hawser.broker.store.QuotaResolver;
import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.access.PrincipalLimits;
import io.hawser.core.access.ReloadingAccessFile;
import io.hawser.core.model.NodeId;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.wire.Greeting;
import io.hawser.ops.audit.Audit;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides which peers may open a session, and with which rights. Without TLS it is everybody, with all rights. With TLS it is
 * a node with a certificate of the CA that is not revoked, in the role that it names; the rights are those in the certificate
 * and those of the ACL file together, and all but {@code cancel} if neither says anything.
 *
 * <p>Thread: any.
 */
public final class PeerAuthorizer {
    private final @Nullable NodeTls tls;
    private final @Nullable ReloadingAccessFile file;
    private final NodeBindings bindings;
    private final Audit audit;
    private int generation;

    /**
     * @param tls the broker's keys, whose revocation list counts; null without TLS
     * @param file rights by name; null if there is no such file
     * @param bindings which certificate came first with which node id
     */
    public PeerAuthorizer(
            @Nullable NodeTls tls, @Nullable ReloadingAccessFile file, NodeBindings bindings, Audit audit) {
        this.tls = tls;
        this.file = file;
        this.bindings = bindings;
        this.audit = audit;
    }

    /** Where notes of what sessions do are taken. */
    Audit audit() {
        return audit;
    }

    /** Why that session may not be; empty if it may. */
    Optional<String> whyNot(@Nullable X509Certificate certificate, Greeting greeting) {
        if (certificate == null) {
            return Optional.empty();
        }
        if (isRevoked(certificate)) {
            return Optional.of("the certificate of "
                    + CertificateIdentity.identity(certificate).text() + " was revoked; ask for new keys");
        }
        Identity identity = CertificateIdentity.identity(certificate);
        String asked = greeting.role().name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (!identity.mayBe(asked)) {
            return Optional.of("the certificate is for " + identity.text() + " and cannot be used for a session of "
                    + asked + "; 'hawser keys add' makes keys for a role");
        }
        return bindings.whyNot(greeting.node(), identity.principal());
    }

    /** Notes which certificate that node came with. Empty if that is durable; else see {@link NodeBindings#bind}. */
    Optional<CompletionStage<String>> bind(@Nullable X509Certificate certificate, Greeting greeting) {
        return certificate == null
                ? Optional.empty()
                : bindings.bind(
                        greeting.node(),
                        CertificateIdentity.identity(certificate).principal());
    }

    private boolean isRevoked(X509Certificate certificate) {
        NodeTls keys = tls;
        return keys != null && keys.isRevoked(certificate);
    }

    /** The present rights of a holder of that certificate; none if it is revoked. */
    public Access access(@Nullable X509Certificate certificate) {
        if (certificate == null) {
            return Access.OPEN;
        }
        Identity identity = CertificateIdentity.identity(certificate);
        ReloadingAccessFile rules = file;
        if (isRevoked(certificate)) {
            return new Access(identity, Grants.NONE);
        }
        if (rules == null) {
            return new Access(identity, identity.grants().orElse(Grants.UNLESS_NAMED));
        }
        return new Access(
                identity,
                identity.grants().orElse(Grants.NONE).and(rules.rules().of(identity)));
    }

    /**
     * Asks for a look at the ACL file and the keys, and does not wait for it. Returns whether any rights may have changed since the last
     * call. Thread: one.
     */
    public boolean refresh() {
        ReloadingAccessFile rules = file;
        NodeTls keys = tls;
        int now = (keys == null ? 0 : keys.generation()) + (rules == null ? 0 : rules.generation());
        boolean changed = now != generation;
        generation = now;
        return changed;
    }

    PrincipalLimits limits(@Nullable X509Certificate certificate) {
        ReloadingAccessFile rules = file;
        return rules == null || certificate == null
                ? PrincipalLimits.DEFAULT
                : rules.rules().limitsOf(CertificateIdentity.identity(certificate));
    }

    /** The identity that the node has proved. Thread: any. */
    Identity identity(NodeId node) {
        return bindings.of(node);
    }

    /** The quotas of the ACL file and the tenants that they charge. */
    public QuotaResolver tenants() {
        ReloadingAccessFile rules = file;
        return rules == null
                ? QuotaResolver.NONE
                : new QuotaResolver(rules.rules().quotas(), bindings::of);
    }

    /** What is wrong with the ACL file; empty if nothing is. */
    public Optional<String> problem() {
        ReloadingAccessFile rules = file;
        return rules == null ? Optional.empty() : rules.problem();
    }
}
