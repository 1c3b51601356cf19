package io.hawser.core.access;

import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a certificate.
 *
 * @param principal the subject (RFC 2253); empty for a peer without a certificate
 * @param role the name of its role, or empty if it was not made for one
 * @param name its own name; the role's where it has none
 * @param serial of its certificate, or null without one
 * @param granted rights that stand in the certificate, or null if it says nothing of rights
 *
 * <p>Thread: immutable.
 */
public record Identity(
        String principal,
        String role,
        String name,
        @Nullable BigInteger serial,
        @Nullable Grants granted) {
    /** A peer without a certificate, where none is asked for. */
    public static final Identity UNKNOWN = new Identity("", "", "", null, null);

    /** Whether it showed a certificate. */
    public boolean isKnown() {
        return !principal.isEmpty();
    }

    /** How it is called in ACL files and logs: {@code role:name}; {@code -} without a certificate. */
    public String text() {
        if (!isKnown()) {
            return "-";
        }
        return (role.isEmpty() ? "other" : role) + ":" + name;
    }

    /** Whether a line of an ACL file about {@code who} is about it; one about {@code *} is, whoever it is. */
    boolean isCalled(String who) {
        return who.equals("*") || who.equals(role) || who.equals(text());
    }

    /** Whether a certificate of that role may take the part of {@code asked} in a session; one without a role may take any. */
    public boolean mayBe(String asked) {
        return !isKnown() || role.isEmpty() || role.equals(asked);
    }

    /** What its certificate says of rights. */
    public Optional<Grants> grants() {
        return Optional.ofNullable(granted);
    }
}
