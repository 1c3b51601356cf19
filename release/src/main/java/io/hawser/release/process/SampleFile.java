package io.hawser.release.process;

import io.hawser.core.integrity.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Files with content that cannot be compressed and is the same for the same seed.
 *
 * <p>Thread: any.
 */
public final class SampleFile {
    private static final int STEP_BYTES = 1 << 20;

    private SampleFile() {}

    /** Writes {@code sizeBytes} of random content; returns its SHA-256. */
    public static String write(Path path, long sizeBytes, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        MessageDigest digest = Sha256.newDigest();
        ByteBuffer step = ByteBuffer.allocate(STEP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), STEP_BYTES)) {
            for (long left = sizeBytes; left > 0; left -= STEP_BYTES) {
                step.clear();
                while (step.hasRemaining()) {
                    step.putLong(random.nextLong());
                }
                int length = (int) Math.min(left, STEP_BYTES);
                digest.update(step.array(), 0, length);
                out.write(step.array(), 0, length);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    public static String sha256(Path path) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
            byte[] step = new byte[STEP_BYTES];
            while (in.read(step) >= 0) {
                // The stream feeds the digest.
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
