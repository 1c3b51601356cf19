package io.hawser.agenta.account;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Hashes a password with PBKDF2 and a random salt, and verifies passwords against the stored text. It is slow, so that a thief
 * of the file cannot try many.
 *
 * <p>Thread: immutable.
 */
final class PasswordHash {
    /** What OWASP asks for since 2023: some hundred milliseconds. */
    static final int ITERATIONS = 600_000;

    private static final int MAX_ITERATIONS = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final Pattern FORM =
            Pattern.compile("pbkdf2-sha256\\$([1-9][0-9]{0,7})\\$([A-Za-z0-9+/=]{4,128})\\$([A-Za-z0-9+/=]{44})");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** A new hash with a salt of its own. Slow. */
    static PasswordHash of(String password, int iterations) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations));
    }

    /** Reads what {@link #toString} wrote. {@link IllegalArgumentException} if it is something else. */
    static PasswordHash parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > MAX_ITERATIONS) {
            throw new IllegalArgumentException("not a password hash: pbkdf2-sha256$ITERATIONS$SALT$HASH");
        }
        Base64.Decoder decoder = Base64.getDecoder();
        return new PasswordHash(
                Integer.parseInt(matcher.group(1)), decoder.decode(matcher.group(2)), decoder.decode(matcher.group(3)));
    }

    /** Whether it is of that password. Slow. */
    boolean matches(String password) {
        return MessageDigest.isEqual(hash, derive(password, salt, iterations));
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2", e);
        } finally {
            spec.clearPassword();
        }
    }

    @Override
    public String toString() {
        Base64.Encoder encoder = Base64.getEncoder();
        return "pbkdf2-sha256$" + iterations + "$" + encoder.encodeToString(salt) + "$" + encoder.encodeToString(hash);
    }
}
