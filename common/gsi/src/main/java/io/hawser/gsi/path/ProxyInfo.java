package io.hawser.gsi.path;

import io.hawser.gsi.GsiException;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERSequence;

/**
 * The extension ProxyCertInfo, RFC 3820 section 3.8.
 *
 * @param language the object identifier of the proxy's rights
 * @param furtherProxies how many proxies may follow, or {@link #ANY_NUMBER}
 * @param hasPolicy whether it has a policy in that language
 */
public record ProxyInfo(String language, int furtherProxies, boolean hasPolicy) {
    /** The extension's object identifier. */
    public static final String OID = "1.3.6.1.5.5.7.1.14";
    /** All rights of the issuer. */
    public static final String INHERIT_ALL = "1.3.6.1.5.5.7.21.1";
    /** None of the issuer's rights. */
    public static final String INDEPENDENT = "1.3.6.1.5.5.7.21.2";
    /** Moving data, but no jobs (Globus). */
    public static final String LIMITED = "1.3.6.1.4.1.3536.1.1.1.9";

    static final int ANY_NUMBER = Integer.MAX_VALUE;

    static ProxyInfo of(X509Certificate proxy) throws GsiException {
        try {
            ASN1Sequence info = ASN1Sequence.getInstance(
                    ASN1OctetString.getInstance(proxy.getExtensionValue(OID)).getOctets());
            boolean limitsNumber = info.getObjectAt(0) instanceof ASN1Integer;
            int further =
                    limitsNumber ? ASN1Integer.getInstance(info.getObjectAt(0)).intValueExact() : ANY_NUMBER;
            ASN1Sequence policy = ASN1Sequence.getInstance(info.getObjectAt(limitsNumber ? 1 : 0));
            String language =
                    ASN1ObjectIdentifier.getInstance(policy.getObjectAt(0)).getId();
            if (further < 0 || info.size() != (limitsNumber ? 2 : 1) || policy.size() > 2) {
                throw new GsiException("the ProxyCertInfo of a proxy certificate is malformed");
            }
            return new ProxyInfo(language, further, policy.size() == 2);
        } catch (IllegalArgumentException | IllegalStateException | ArithmeticException | IndexOutOfBoundsException e) {
            throw new GsiException("the ProxyCertInfo of a proxy certificate is malformed", e);
        }
    }

    /** The value of the extension for a new proxy, of which any number may follow. */
    public static ASN1Encodable encoded(String language) {
        ASN1EncodableVector policy = new ASN1EncodableVector();
        policy.add(new ASN1ObjectIdentifier(language));
        return new DERSequence(new DERSequence(policy));
    }
}
