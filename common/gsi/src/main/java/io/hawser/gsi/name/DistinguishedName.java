package io.hawser.gsi.name;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1BMPString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UTF8String;
import org.bouncycastle.asn1.ASN1UniversalString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.util.encoders.Hex;

/**
 * A distinguished name in the form that grid programs use: {@code /O=Test Grid/OU=Users/CN=Anna}, in the order of the certificate.
 * Bytes outside of printable ASCII are written {@code \xC3}, as OpenSSL does.
 *
 * <p>Two names are equal if they differ only in case, or in an older name of an attribute ({@code Email}, {@code E}, {@code USERID}),
 * as in Globus.
 */
public final class DistinguishedName {
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("2.5.4.3", "CN"),
            Map.entry("2.5.4.4", "SN"),
            Map.entry("2.5.4.5", "serialNumber"),
            Map.entry("2.5.4.6", "C"),
            Map.entry("2.5.4.7", "L"),
            Map.entry("2.5.4.8", "ST"),
            Map.entry("2.5.4.9", "street"),
            Map.entry("2.5.4.10", "O"),
            Map.entry("2.5.4.11", "OU"),
            Map.entry("2.5.4.12", "title"),
            Map.entry("2.5.4.13", "description"),
            Map.entry("2.5.4.17", "postalCode"),
            Map.entry("2.5.4.41", "name"),
            Map.entry("2.5.4.42", "GN"),
            Map.entry("2.5.4.43", "initials"),
            Map.entry("2.5.4.44", "generationQualifier"),
            Map.entry("2.5.4.46", "dnQualifier"),
            Map.entry("2.5.4.65", "pseudonym"),
            Map.entry("0.9.2342.19200300.100.1.1", "UID"),
            Map.entry("0.9.2342.19200300.100.1.25", "DC"),
            Map.entry("1.2.840.113549.1.9.1", "emailAddress"),
            Map.entry("1.2.840.113549.1.9.2", "unstructuredName"));

    private static final Pattern EMAIL = Pattern.compile("/(?:e|email|emailaddress)=");
    private static final Pattern USER_ID = Pattern.compile("/(?:uid|userid)=");

    private final String text;
    private final String key;

    private DistinguishedName(String text) {
        this.text = text;
        this.key = normalised(text);
    }

    /**
     * Throws {@link IllegalArgumentException} if a certificate's subject or issuer is malformed: Java accepts names with empty parts or malformed
     * values.
     */
    public static void requireReadable(X509Certificate certificate) {
        List.of(certificate.getSubjectX500Principal(), certificate.getIssuerX500Principal())
                .forEach(DistinguishedName::of);
    }

    /** The name of a certificate's subject or issuer. Throws {@link IllegalArgumentException} if it is malformed. */
    public static DistinguishedName of(X500Principal principal) {
        StringBuilder out = new StringBuilder();
        for (RDN rdn : X500Name.getInstance(principal.getEncoded()).getRDNs()) {
            if (rdn.size() == 0) {
                throw new IllegalArgumentException("a name with an empty part");
            }
            for (AttributeTypeAndValue part : rdn.getTypesAndValues()) {
                String oid = part.getType().getId();
                out.append('/').append(TYPES.getOrDefault(oid, oid)).append('=');
                appendValue(out, part.getValue());
            }
        }
        return new DistinguishedName(out.toString());
    }

    /** Parses the slash form; {@code \xC3} means that byte. Throws {@link IllegalArgumentException} for other text. */
    public static DistinguishedName parse(String slashForm) {
        if (!slashForm.startsWith("/") || slashForm.indexOf('=') < 0) {
            throw new IllegalArgumentException("a distinguished name looks like /O=Grid/CN=Name");
        }
        return new DistinguishedName(slashForm(slashForm.getBytes(StandardCharsets.UTF_8)));
    }

    private static void appendValue(StringBuilder out, ASN1Encodable value) {
        boolean unicode = value instanceof ASN1UTF8String
                || value instanceof ASN1BMPString
                || value instanceof ASN1UniversalString;
        if (value instanceof ASN1String string) {
            out.append(slashForm(
                    string.getString().getBytes(unicode ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1)));
            return;
        }
        try {
            out.append('#').append(Hex.toHexString(value.toASN1Primitive().getEncoded(ASN1Encoding.DER)));
        } catch (IOException e) {
            throw new IllegalArgumentException("a name that cannot be encoded", e);
        }
    }

    /** Escapes bytes that are not printable ASCII, without decoding them. */
    static String slashForm(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        for (byte b : bytes) {
            if (b >= ' ' && b <= '~') {
                out.append((char) b);
            } else {
                out.append(String.format(Locale.ROOT, "\\x%02X", b & 0xFF));
            }
        }
        return out.toString();
    }

    /** The common form of all spellings of a name, or of a pattern of names. */
    static String normalised(String slashForm) {
        String lower = slashForm.toLowerCase(Locale.ROOT);
        return USER_ID.matcher(EMAIL.matcher(lower).replaceAll("/emailaddress="))
                .replaceAll("/uid=");
    }

    /** Whether it matches a pattern, in which {@code *} matches any characters and {@code ?} one. */
    public boolean matches(String pattern) {
        return matches(normalised(pattern), key);
    }

    /** Takes time at most proportional to the product of both lengths. */
    private static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int starAt = -1;
        int resumeAt = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                starAt = p++;
                resumeAt = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (starAt >= 0) {
                p = starAt + 1; // the last star matches one more character
                t = ++resumeAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DistinguishedName name && name.key.equals(key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** The slash form. */
    @Override
    public String toString() {
        return text;
    }
}
