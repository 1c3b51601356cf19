package io.hawser.agenta.ftp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.Optional;

/**
 * Who may log in: anonymous, or one account with a password. What takes long or short in a check does not depend on the
 * password, nor on whether the user exists.
 */
public final class Accounts {
    /** The account of everybody who logs in without one. */
    public static final String ANONYMOUS = "anonymous";

    private final boolean anonymousAllowed;
    private final String user;
    private final byte[] passwordDigest;

    private Accounts(boolean anonymousAllowed, String user, byte[] passwordDigest) {
        this.anonymousAllowed = anonymousAllowed;
        this.user = user;
        this.passwordDigest = passwordDigest;
    }

    /** Everybody, as {@code anonymous} or {@code ftp}, with any password. */
    public static Accounts anonymous() {
        return new Accounts(true, "", new byte[0]);
    }

    /** One account, and no anonymous login. */
    public static Accounts of(String user, String password) {
        if (user.isBlank() || password.isEmpty()) {
            throw new IllegalArgumentException("an FTP account needs a user name and a password that is not empty");
        }
        return new Accounts(false, user, sha256(password));
    }

    /** Whether one can log in without an account. */
    public boolean anonymousAllowed() {
        return anonymousAllowed;
    }

    /** The account that this name and password open, if they do. */
    public Optional<String> authenticate(String name, String password) {
        if (anonymousAllowed) {
            String lower = name.toLowerCase(Locale.ROOT);
            return lower.equals(ANONYMOUS) || lower.equals("ftp") ? Optional.of(ANONYMOUS) : Optional.empty();
        }
        boolean passwordRight = MessageDigest.isEqual(passwordDigest, sha256(password));
        boolean userRight = MessageDigest.isEqual(sha256(user), sha256(name));
        // Both have been compared by now, whichever was wrong.
        return passwordRight && userRight ? Optional.of(user) : Optional.empty();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
