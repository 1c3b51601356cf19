package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates certificate chains with proxies.
 *
 * <p>The JDK's PKIX (RFC 5280) validates the end entity and the CAs above it: signatures, times, constraints, algorithms. Then the signing policy and
 * the revocation lists of each CA of the path are checked, and {@link ProxyRules} check the proxies. PKIX alone refuses every proxy, since its issuer
 * is not a CA.
 *
 * <p>Thread: immutable.
 */
public final class PathValidator {
    /** Proxies, the end entity and CAs. */
    private static final int MAX_CHAIN = 20;

    private static final int MAX_AUTHORITIES = 8;
    private static final String ANY_USAGE = "2.5.29.37.0";

    private final TrustAnchors anchors;
    private final boolean legacyProxies;
    private final Set<TrustAnchor> roots = new HashSet<>();

    /**
     * @param anchors the trusted CAs
     * @param legacyProxies whether GT2 proxies are accepted
     */
    public PathValidator(TrustAnchors anchors, boolean legacyProxies) {
        this.anchors = anchors;
        this.legacyProxies = legacyProxies;
        anchors.certificates(true).forEach(root -> roots.add(new TrustAnchor(root, null)));
    }

    /** Validates {@code chain}, the leaf first, as of {@code now}. */
    public ValidatedPeer validate(List<X509Certificate> chain, CertificatePurpose purpose, Instant now)
            throws GsiException {
        if (chain.isEmpty() || chain.size() > MAX_CHAIN) {
            throw new GsiException("a certificate chain of " + chain.size() + " certificates");
        }
        int endEntity = endEntity(chain);
        X509Certificate entity = chain.get(endEntity);
        Instant notAfter = checkTimes(chain.subList(0, endEntity + 1), now);
        checkEntity(entity, endEntity == 0 ? purpose : CertificatePurpose.DATA);
        for (X509Certificate authority : checkAuthorities(chain, endEntity, now)) {
            notAfter = earlier(notAfter, authority.getNotAfter().toInstant());
        }
        ProxyRules proxies = new ProxyRules(legacyProxies);
        proxies.check(chain, endEntity);
        return new ValidatedPeer(name(entity), chain, endEntity, proxies.kind(), proxies.isLimited(), notAfter);
    }

    /** The index of the first certificate that is not a proxy. Throws also for a malformed name. */
    public static int endEntity(List<X509Certificate> chain) throws GsiException {
        try {
            chain.forEach(DistinguishedName::requireReadable);
        } catch (IllegalArgumentException e) {
            throw new GsiException("a certificate has a name that cannot be read", e);
        }
        int index = 0;
        while (index < chain.size() && ProxyKind.of(chain.get(index)) != ProxyKind.NONE) {
            index++;
        }
        if (index == chain.size()) {
            throw new GsiException("a proxy certificate without the certificate of its owner");
        }
        return index;
    }

    private static Instant checkTimes(List<X509Certificate> certificates, Instant now) throws GsiException {
        Instant notAfter = Instant.MAX;
        for (X509Certificate certificate : certificates) {
            Instant begin = certificate.getNotBefore().toInstant();
            Instant end = certificate.getNotAfter().toInstant();
            if (now.isBefore(begin)) {
                throw new GsiException("the certificate of " + name(certificate) + " is not valid before " + begin);
            }
            if (now.isAfter(end)) {
                throw new GsiException("the certificate of " + name(certificate) + " has expired at " + end);
            }
            notAfter = earlier(notAfter, end);
        }
        return notAfter;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** The extended key usage of a proxy's owner is not checked, as in Globus: it delegates as client and server. */
    private static void checkEntity(X509Certificate entity, CertificatePurpose purpose) throws GsiException {
        if (entity.getBasicConstraints() >= 0) {
            throw new GsiException("the certificate of " + name(entity) + " is a CA's");
        }
        try {
            List<String> usages = entity.getExtendedKeyUsage();
            String needed = purpose.extendedKeyUsage();
            if (usages != null && !needed.isEmpty() && !usages.contains(needed) && !usages.contains(ANY_USAGE)) {
                throw new GsiException("the certificate of " + name(entity) + " is not for a "
                        + (purpose == CertificatePurpose.SERVER ? "server" : "client"));
            }
        } catch (CertificateParsingException e) {
            throw new GsiException("the certificate of " + name(entity) + " cannot be read", e);
        }
    }

    /** Builds the path to a root and checks each CA on it. Returns these CAs. */
    private List<X509Certificate> checkAuthorities(List<X509Certificate> chain, int endEntity, Instant now)
            throws GsiException {
        PKIXCertPathBuilderResult path = build(chain, endEntity, now);
        List<X509Certificate> full = new ArrayList<>();
        for (Certificate certificate : path.getCertPath().getCertificates()) {
            full.add((X509Certificate) certificate);
        }
        full.add(path.getTrustAnchor().getTrustedCert());
        for (int i = 0; i + 1 < full.size(); i++) {
            X509Certificate issuer = full.get(i + 1);
            Authority authority = anchors.authority(issuer)
                    .orElseThrow(() -> new GsiException("the CA " + name(issuer) + " is not among the trusted ones"));
            authority.check(full.get(i), now);
        }
        return full.subList(1, full.size());
    }

    private PKIXCertPathBuilderResult build(List<X509Certificate> chain, int endEntity, Instant now)
            throws GsiException {
        X509Certificate entity = chain.get(endEntity);
        if (roots.isEmpty()) {
            throw new GsiException("no CA is trusted");
        }
        try {
            X509CertSelector target = new X509CertSelector();
            target.setCertificate(entity);
            List<X509Certificate> intermediates = new ArrayList<>(chain.subList(endEntity, chain.size()));
            intermediates.addAll(anchors.certificates(false));
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(roots, target);
            parameters.addCertStore(
                    CertStore.getInstance("Collection", new CollectionCertStoreParameters(intermediates)));
            parameters.setRevocationEnabled(false); // Authority checks the revocation lists
            parameters.setMaxPathLength(MAX_AUTHORITIES);
            parameters.setDate(Date.from(now));
            return (PKIXCertPathBuilderResult)
                    CertPathBuilder.getInstance("PKIX", "SUN").build(parameters);
        } catch (GeneralSecurityException e) {
            String issuer =
                    DistinguishedName.of(entity.getIssuerX500Principal()).toString();
            throw new GsiException(
                    "no way leads from the certificate of " + name(entity) + ", issued by " + issuer
                            + ", to a trusted CA: " + e.getMessage(),
                    e);
        }
    }

    private static DistinguishedName name(X509Certificate certificate) {
        return DistinguishedName.of(certificate.getSubjectX500Principal());
    }
}
