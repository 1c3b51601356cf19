package io.hawser.core.integrity;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256. Takes about 0.6 ms per MiB: not for an event loop, except for small objects. */
public final class Sha256 {
    public static final int LENGTH_BYTES = 32;

    private Sha256() {}

    /** The hash of the bytes from position to limit; the buffer's position does not change. */
    public static byte[] of(ByteBuffer bytes) {
        MessageDigest sha256 = newDigest();
        sha256.update(bytes.duplicate());
        return sha256.digest();
    }

    public static byte[] of(byte[] bytes) {
        return newDigest().digest(bytes);
    }

    /** A new digest, for bytes that come in pieces. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
