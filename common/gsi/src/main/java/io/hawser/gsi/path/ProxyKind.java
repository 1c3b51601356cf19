package io.hawser.gsi.path;

import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/** The kinds of proxy certificates. */
public enum ProxyKind {
    /** Not a proxy: an end entity or a CA. */
    NONE,
    /** RFC 3820. */
    RFC,
    /** The draft of RFC 3820 (GT3). */
    DRAFT,
    /** By name alone: the issuer's name and {@code CN=proxy} or {@code CN=limited proxy} (GT2). */
    LEGACY;

    static final String LEGACY_FULL = "proxy";
    static final String LEGACY_LIMITED = "limited proxy";
    private static final String DRAFT_INFO = "1.3.6.1.4.1.3536.1.222";

    public static ProxyKind of(X509Certificate certificate) {
        if (certificate.getExtensionValue(ProxyInfo.OID) != null) {
            return RFC;
        }
        if (certificate.getExtensionValue(DRAFT_INFO) != null) {
            return DRAFT;
        }
        String added = addedName(certificate);
        return added.equals(LEGACY_FULL) || added.equals(LEGACY_LIMITED) ? LEGACY : NONE;
    }

    /** The CN that the subject adds to the issuer's name; empty if it is not such a name. */
    static String addedName(X509Certificate certificate) {
        RDN[] subject = X500Name.getInstance(
                        certificate.getSubjectX500Principal().getEncoded())
                .getRDNs();
        RDN[] issuer = X500Name.getInstance(certificate.getIssuerX500Principal().getEncoded())
                .getRDNs();
        if (subject.length != issuer.length + 1) {
            return "";
        }
        for (int i = 0; i < issuer.length; i++) {
            if (!subject[i].equals(issuer[i])) {
                return "";
            }
        }
        RDN last = subject[issuer.length];
        boolean commonName = !last.isMultiValued() && last.getFirst().getType().equals(BCStyle.CN);
        return commonName && last.getFirst().getValue() instanceof ASN1String name ? name.getString() : "";
    }
}
