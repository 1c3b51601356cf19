package io.hawser.core.access;

import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a certificate.
 *
 * @param principal the subject (RFC 2253); empty for a peer without a certificate
 * @param role the name of its role, or empty if it has none
 * @param name its own name, or else the role's
 * @param serial of its certificate, or null without one
 * @param granted the rights in the certificate, or null if it names none
 *
 * <p>Thread: immutable.
 */
public record Identity(
        String principal,
        String role,
        String name,
        @Nullable BigInteger serial,
        @Nullable Grants granted) {
    /** A peer without a certificate, if none is required. */
    public static final Identity UNKNOWN = new Identity("", "", "", null, null);

    /** Whether it has a certificate. */
    public boolean isKnown() {
        return !principal.isEmpty();
    }

    /** The name in ACL files and logs: {@code role:name}; {@code -} without a certificate. */
    public String text() {
        if (!isKnown()) {
            return "-";
        }
        return (role.isEmpty() ? "other" : role) + ":" + name;
    }

    /** Whether a line of an ACL file for {@code who} applies to it. */
    boolean isCalled(String who) {
        return who.equals("*") || who.equals(role) || who.equals(text());
    }

    /** Whether the peer may act in role {@code asked}; a certificate without a role may act in any. */
    public boolean mayBe(String asked) {
        return !isKnown() || role.isEmpty() || role.equals(asked);
    }

    /** The rights in its certificate; empty if it names none. */
    public Optional<Grants> grants() {
        return Optional.ofNullable(granted);
    }
}
