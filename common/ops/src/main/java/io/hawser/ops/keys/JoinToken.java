package io.hawser.ops.keys;

import io.hawser.core.config.ConfigException;
import io.hawser.core.integrity.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The token of an invitation: {@code ID.SECRET.FINGERPRINT}, one word without characters that are special in a shell.
 *
 * @param id names the invitation; not secret, appears in logs
 * @param secret 192 random bits
 * @param authority SHA-256 of the CA's certificate, by which the caller authenticates the enrolment server
 */
public record JoinToken(String id, String secret, String authority) {
    private static final int ID_BYTES = 4;
    private static final int SECRET_BYTES = 24;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{8}\\.[A-Za-z0-9_-]{32}\\.[A-Za-z0-9_-]{43}");
    private static final SecureRandom RANDOM = new SecureRandom();

    static JoinToken random(X509Certificate ca) {
        byte[] id = new byte[ID_BYTES];
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(id);
        RANDOM.nextBytes(secret);
        return new JoinToken(HexFormat.of().formatHex(id), base64(secret), fingerprint(ca));
    }

    /** Throws ConfigException, whose message does not contain the text. */
    public static JoinToken parse(String text) {
        String word = text.strip();
        if (!FORM.matcher(word).matches()) {
            throw new ConfigException("that is not a complete token: paste the line that 'hawser keys invite' printed");
        }
        String[] parts = word.split("\\.");
        return new JoinToken(parts[0], parts[1], parts[2]);
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    public String text() {
        return id + "." + secret + "." + authority;
    }

    /** The stored form of a secret, with which nobody can join. */
    static String hash(String secret) {
        return base64(Sha256.of(secret.getBytes(StandardCharsets.UTF_8)));
    }

    static String fingerprint(X509Certificate certificate) {
        try {
            return base64(Sha256.of(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate cannot be encoded", e);
        }
    }

    /** Compares in constant time for equal lengths. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Without the secret, for logs. */
    @Override
    public String toString() {
        return "invitation " + id;
    }
}
