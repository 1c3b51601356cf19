package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A trusted CA with its signing policy and revocation lists. */
public final class Authority {
    private final X509Certificate certificate;
    private final @Nullable SigningPolicy policy;
    private final List<X509CRL> lists;
    private final boolean listsUsable;

    /**
     * @param policy the names that it may sign; null for none
     * @param lists its revocation lists; without any nothing is revoked
     * @param listsReadable false if a further list cannot be read: then nothing of this CA is accepted
     */
    public Authority(
            X509Certificate certificate, @Nullable SigningPolicy policy, List<X509CRL> lists, boolean listsReadable) {
        this.certificate = certificate;
        this.policy = policy;
        this.lists = List.copyOf(lists);
        this.listsUsable = listsReadable && lists.stream().allMatch(this::isMine);
    }

    private boolean isMine(X509CRL list) {
        try {
            list.verify(certificate.getPublicKey());
            return !list.hasUnsupportedCriticalExtension();
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    X509Certificate certificate() {
        return certificate;
    }

    boolean isRoot() {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    /** Throws if the CA may not sign {@code issued}, or has revoked it. */
    void check(X509Certificate issued, Instant now) throws GsiException {
        DistinguishedName name = DistinguishedName.of(certificate.getSubjectX500Principal());
        DistinguishedName subject = DistinguishedName.of(issued.getSubjectX500Principal());
        if (policy == null) {
            throw new GsiException("there is no signing policy of the CA " + name);
        }
        if (!policy.allows(name, subject)) {
            throw new GsiException("the signing policy of the CA " + name + " does not allow it to sign " + subject);
        }
        if (!listsUsable) {
            throw new GsiException("a revocation list of the CA " + name + " cannot be used");
        }
        if (lists.stream().anyMatch(list -> list.isRevoked(issued))) {
            throw new GsiException("the certificate of " + subject + " is revoked");
        }
        if (!lists.isEmpty() && lists.stream().noneMatch(list -> isCurrent(list, now))) {
            throw new GsiException("the revocation list of the CA " + name + " has expired");
        }
    }

    private static boolean isCurrent(X509CRL list, Instant now) {
        return Optional.ofNullable(list.getNextUpdate())
                .map(next -> next.toInstant().isAfter(now))
                .orElse(true);
    }
}
