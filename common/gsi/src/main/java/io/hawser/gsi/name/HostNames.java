package io.hawser.gsi.name;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * Matches a host certificate with a host name (RFC 2818 section 3.1, RFC 6125 section 6.4). The name is used as written, without a lookup. Names in
 * subjectAltName count; without any, the last CN does, which may be {@code host/NAME} or {@code ftp/NAME}. A {@code *} matches the whole leftmost label.
 */
public final class HostNames {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final Pattern NUMBERS = Pattern.compile("[0-9.]+|.*:.*");
    private static final Pattern SERVICE = Pattern.compile("^(?:host|ftp)/");

    private HostNames() {}

    /** Whether {@code certificate} is for {@code host}, a name or an address. */
    public static boolean matches(X509Certificate certificate, String host) {
        String wanted = host.toLowerCase(Locale.ROOT);
        Collection<List<?>> names = alternativeNames(certificate);
        boolean named = names.stream().anyMatch(name -> isKind(name, DNS_NAME) || isKind(name, IP_ADDRESS));
        if (!named) {
            return !isAddress(wanted)
                    && commonName(certificate)
                            .filter(name -> nameMatches(SERVICE.matcher(name).replaceFirst(""), wanted))
                            .isPresent();
        }
        return names.stream()
                .anyMatch(name -> isKind(name, isAddress(wanted) ? IP_ADDRESS : DNS_NAME)
                        && (isAddress(wanted)
                                ? addressMatches(String.valueOf(name.get(1)), wanted)
                                : nameMatches(String.valueOf(name.get(1)), wanted)));
    }

    private static boolean isKind(List<?> name, int kind) {
        return Integer.valueOf(kind).equals(name.get(0));
    }

    private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException e) {
            return List.of(List.of(DNS_NAME, "")); // malformed names match nothing, and the CN is not used
        }
    }

    private static Optional<String> commonName(X509Certificate certificate) {
        RDN[] names = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded())
                .getRDNs(BCStyle.CN);
        return names.length == 0
                ? Optional.empty()
                : Optional.of(names[names.length - 1].getFirst().getValue())
                        .filter(ASN1String.class::isInstance)
                        .map(value -> ((ASN1String) value).getString());
    }

    private static boolean isAddress(String host) {
        return NUMBERS.matcher(host).matches();
    }

    private static boolean nameMatches(String pattern, String host) {
        String lower = pattern.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("*.")) {
            return lower.equals(host) && !lower.isEmpty();
        }
        int dot = host.indexOf('.');
        String rest = lower.substring(1);
        return dot > 0 && rest.indexOf('.', 1) > 0 && host.substring(dot).equals(rest);
    }

    private static boolean addressMatches(String inCertificate, String host) {
        try {
            // Both are numeric addresses, which are not looked up.
            return isAddress(inCertificate)
                    && Arrays.equals(
                            InetAddress.getByName(inCertificate).getAddress(),
                            InetAddress.getByName(host).getAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
