package io.hawser.core.integrity;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 of the JDK. Takes about 0.6 ms per MiB: never on an event loop, except for small objects. */
public final class Sha256 {
    /** Length of a hash. */
    public static final int LENGTH_BYTES = 32;

    private Sha256() {}

    /** The hash of the bytes from position to limit; the buffer's position stays where it was. */
    public static byte[] of(ByteBuffer bytes) {
        MessageDigest sha256 = newDigest();
        sha256.update(bytes.duplicate());
        return sha256.digest();
    }

    /** A fresh digest, for bytes that come in pieces. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
