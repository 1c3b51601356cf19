package io.hawser.core.tls;

import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.access.Right;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * Reads role, name and rights from a certificate: the role from the subject's OU (or from its
 * CN, if that is a role's name and there is no OU), the name from its CN, and rights from alternative names that are URIs of the
 * form {@code hawser:RIGHT,RIGHT:TOPIC,TOPIC}.
 *
 * <p>Thread: any.
 */
public final class CertificateIdentity {
    private static final String GRANT = "hawser:";
    private static final int URI_NAME = 6;
    private static final int DNS_NAME = 2;
    private static final int IP_NAME = 7;

    private CertificateIdentity() {}

    /** The owner of that certificate. Malformed rights grant nothing. */
    public static Identity identity(X509Certificate certificate) {
        Identity named = named(certificate.getSubjectX500Principal().getName());
        return new Identity(
                named.principal(), named.role(), named.name(), certificate.getSerialNumber(), grants(certificate));
    }

    /** The identity with that subject (RFC 2253), without serial number and rights. */
    public static Identity named(String principal) {
        String commonName = part(principal, "CN");
        String unit = part(principal, "OU");
        String role = isRole(unit) ? unit : unit.isEmpty() && isRole(commonName) ? commonName : "";
        return new Identity(principal, role, commonName, null, null);
    }

    private static boolean isRole(String word) {
        return Stream.of(Role.values()).anyMatch(role -> role.fileName().equals(word));
    }

    private static String part(String principal, String type) {
        try {
            for (Rdn rdn : new LdapName(principal).getRdns()) {
                if (rdn.getType().equalsIgnoreCase(type)) {
                    return rdn.getValue() instanceof String text ? text : ""; // other values are bytes
                }
            }
        } catch (InvalidNameException e) {
            return ""; // a malformed subject has no parts
        }
        return "";
    }

    /** The alternative names for those rights. */
    public static List<String> grantNames(Grants grants) {
        return grants.lines().stream()
                .map(line -> GRANT
                        + line.rights().stream().sorted().map(Right::word).collect(Collectors.joining(",")) + ":"
                        + String.join(",", line.topics()))
                .toList();
    }

    private static @Nullable Grants grants(X509Certificate certificate) {
        List<Grants.Line> lines = new ArrayList<>();
        boolean found = false;
        for (String uri : names(certificate, URI_NAME)) {
            if (uri.startsWith(GRANT)) {
                found = true;
                String[] parts = uri.split(":", -1);
                try {
                    lines.add(Grants.line(parts[1], List.of(parts[2].split(",", -1))));
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                    return Grants.NONE;
                }
            }
        }
        return found ? new Grants(lines) : null;
    }

    /** Names and addresses under which its owner is reached. */
    public static List<String> hosts(X509Certificate certificate) {
        List<String> hosts = new ArrayList<>(names(certificate, DNS_NAME));
        hosts.addAll(names(certificate, IP_NAME));
        return hosts;
    }

    private static List<String> names(X509Certificate certificate, int kind) {
        List<String> found = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                for (List<?> name : all) {
                    if (name.get(0).equals(kind) && name.get(1) instanceof String text) {
                        found.add(text);
                    }
                }
            }
        } catch (CertificateParsingException e) {
            return List.of(); // what cannot be read names nothing
        }
        return found;
    }
}
