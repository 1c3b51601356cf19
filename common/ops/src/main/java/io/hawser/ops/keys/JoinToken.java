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
 * What an invited node is given: {@code ID.SECRET.FINGERPRINT}, one word without characters that a shell knows.
 *
 * @param id names the invitation; no secret, and stands in logs
 * @param secret of 192 random bits
 * @param authority SHA-256 of the CA's certificate, by which who joins knows that he talks to the CA's machine
 *
 * <p>Thread: immutable.
 */
public record JoinToken(String id, String secret, String authority) {
    private static final int ID_BYTES = 4;
    private static final int SECRET_BYTES = 24;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{8}\\.[A-Za-z0-9_-]{32}\\.[A-Za-z0-9_-]{43}");
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new one for an invitation of that CA. */
    static JoinToken random(X509Certificate ca) {
        byte[] id = new byte[ID_BYTES];
        byte[] secret = new byte[SECRET_BYTES];
        RANDOM.nextBytes(id);
        RANDOM.nextBytes(secret);
        return new JoinToken(HexFormat.of().formatHex(id), base64(secret), fingerprint(ca));
    }

    /** Reads one. Throws ConfigException, which does not repeat it. */
    public static JoinToken parse(String text) {
        String word = text.strip();
        if (!FORM.matcher(word).matches()) {
            throw new ConfigException(
                    "that is no token, or not all of it: 'hawser keys invite' prints the line to paste");
        }
        String[] parts = word.split("\\.");
        return new JoinToken(parts[0], parts[1], parts[2]);
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    /** How it is given on. */
    public String text() {
        return id + "." + secret + "." + authority;
    }

    /** What is kept of a secret: who reads it cannot join with it. */
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

    /** Whether two are the same; takes the same time wherever they differ. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Without the secret: it must not get into a log by accident. */
    @Override
    public String toString() {
        return "invitation " + id;
    }
}
