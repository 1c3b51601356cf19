package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.name.DistinguishedName;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks proxy certificates from the end entity to the leaf: RFC 3820 sections 3 and 4.1, and Globus' rules for legacy proxies.
 */
final class ProxyRules {
    private static final int DIGITAL_SIGNATURE = 0;
    private static final int KEY_CERT_SIGN = 5;
    private static final int MIN_RSA_BITS = 1024;
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String ISSUER_ALTERNATIVE_NAME = "2.5.29.18";
    /** Extensions that may be critical: they are checked here, or only restrict. */
    private static final Set<String> UNDERSTOOD =
            Set.of(ProxyInfo.OID, "2.5.29.15", "2.5.29.19", "2.5.29.37", "2.5.29.14", "2.5.29.35");

    private final boolean legacyAllowed;
    private int remaining = ProxyInfo.ANY_NUMBER;
    private boolean limited;
    private ProxyKind kind = ProxyKind.NONE;

    ProxyRules(boolean legacyAllowed) {
        this.legacyAllowed = legacyAllowed;
    }

    /**
     * Checks all proxies of a chain.
     *
     * @param chain the leaf first
     * @param endEntity the index of the end entity
     * @throws GsiException at the first violation
     */
    void check(List<X509Certificate> chain, int endEntity) throws GsiException {
        for (int i = endEntity - 1; i >= 0; i--) {
            check(chain.get(i), chain.get(i + 1));
        }
    }

    /** Whether one of them is limited, and so the leaf. */
    boolean isLimited() {
        return limited;
    }

    /** Their kind; {@link ProxyKind#NONE} if there were none. */
    ProxyKind kind() {
        return kind;
    }

    private void check(X509Certificate proxy, X509Certificate issuer) throws GsiException {
        ProxyKind itsKind = ProxyKind.of(proxy);
        require(kind == ProxyKind.NONE || kind == itsKind, proxy, "the chain has proxies of different kinds");
        kind = itsKind;
        if (itsKind != ProxyKind.RFC) {
            legacyRights(proxy, itsKind);
        }
        signature(proxy, issuer);
        require(!ProxyKind.addedName(proxy).isEmpty(), proxy, "its name is not its issuer's with one more CN");
        require(proxy.getBasicConstraints() < 0, proxy, "it claims to be a CA");
        require(isAllowed(issuer, DIGITAL_SIGNATURE), proxy, "its issuer may not sign");
        boolean[] usage = proxy.getKeyUsage();
        require(usage == null || !usage[KEY_CERT_SIGN], proxy, "it claims to sign as a CA does");
        require(
                proxy.getExtensionValue(SUBJECT_ALTERNATIVE_NAME) == null
                        && proxy.getExtensionValue(ISSUER_ALTERNATIVE_NAME) == null,
                proxy,
                "it claims other names");
        Set<String> critical = proxy.getCriticalExtensionOIDs();
        require(critical == null || UNDERSTOOD.containsAll(critical), proxy, "it has an unknown critical extension");
        if (itsKind == ProxyKind.RFC) {
            rights(proxy);
        }
    }

    private static void signature(X509Certificate proxy, X509Certificate issuer) throws GsiException {
        require(
                proxy.getIssuerX500Principal().equals(issuer.getSubjectX500Principal()),
                proxy,
                "its issuer is missing");
        String algorithm = proxy.getSigAlgName().toUpperCase(Locale.ROOT);
        require(
                !algorithm.contains("MD2") && !algorithm.contains("MD5") && !algorithm.contains("SHA1W"),
                proxy,
                "it is signed with " + proxy.getSigAlgName());
        require(
                !(proxy.getPublicKey() instanceof RSAKey key)
                        || key.getModulus().bitLength() >= MIN_RSA_BITS,
                proxy,
                "its key is too short");
        try {
            proxy.verify(issuer.getPublicKey());
        } catch (GeneralSecurityException e) {
            throw refusal(proxy, "its signature is not its issuer's");
        }
    }

    private void rights(X509Certificate proxy) throws GsiException {
        Set<String> critical = proxy.getCriticalExtensionOIDs();
        require(critical != null && critical.contains(ProxyInfo.OID), proxy, "its ProxyCertInfo is not critical");
        ProxyInfo info = ProxyInfo.of(proxy);
        require(remaining > 0, proxy, "the chain has more proxies than one of them allows");
        remaining = Math.min(remaining == ProxyInfo.ANY_NUMBER ? remaining : remaining - 1, info.furtherProxies());
        switch (info.language()) {
            case ProxyInfo.INHERIT_ALL -> require(!info.hasPolicy(), proxy, "it has a policy without a meaning");
            case ProxyInfo.LIMITED -> limited = true;
            case ProxyInfo.INDEPENDENT -> throw refusal(proxy, "it has none of its issuer's rights (independent)");
            default -> throw refusal(proxy, "its rights are in an unknown language: " + info.language());
        }
    }

    private void legacyRights(X509Certificate proxy, ProxyKind itsKind) throws GsiException {
        require(itsKind == ProxyKind.LEGACY, proxy, "it is of the draft of RFC 3820, which is not supported");
        require(legacyAllowed, proxy, "it is a legacy proxy, which is not accepted here");
        limited |= ProxyKind.addedName(proxy).equals(ProxyKind.LEGACY_LIMITED);
    }

    private static boolean isAllowed(X509Certificate certificate, int usage) {
        boolean[] usages = certificate.getKeyUsage();
        return usages == null || usages[usage];
    }

    private static void require(boolean kept, X509Certificate proxy, String why) throws GsiException {
        if (!kept) {
            throw refusal(proxy, why);
        }
    }

    private static GsiException refusal(X509Certificate proxy, String why) {
        return new GsiException("the proxy certificate " + DistinguishedName.of(proxy.getSubjectX500Principal())
                + " cannot be accepted: " + why);
    }
}
