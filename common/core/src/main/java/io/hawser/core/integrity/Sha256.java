package io.hawser.core.integrity;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256. Takes about 0.6 ms per MiB: not for an event loop, except for small objects. */
public final class Sha256 {
    public static final int LENGTH_BYTES = 32;
    private static final int COPY_BYTES = 8 << 10;

    /** To look one up and to make memory for each small object would cost as much as its hash. */
    private static final ThreadLocal<Reused> OF_THREAD = ThreadLocal.withInitial(Reused::new);

    private static final class Reused {
        final MessageDigest sha256 = newDigest();
        final byte[] copy = new byte[COPY_BYTES];

        static Reused get() {
            Reused reused = OF_THREAD.get();
            reused.sha256.reset();
            return reused;
        }
    }

    private Sha256() {}

    /** The hash of the bytes from position to limit; the buffer's position does not change. */
    public static byte[] of(ByteBuffer bytes) {
        Reused reused = Reused.get();
        ByteBuffer rest = bytes.duplicate();
        while (rest.hasRemaining()) {
            int step = Math.min(rest.remaining(), COPY_BYTES);
            rest.get(reused.copy, 0, step);
            reused.sha256.update(reused.copy, 0, step);
        }
        return reused.sha256.digest();
    }

    public static byte[] of(byte[] bytes) {
        return Reused.get().sha256.digest(bytes);
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
