package io.hawser.it.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Content that costs nothing to make, cannot be compressed, and differs in each MiB: one random MiB whose first bytes are
 * its number.
 *
 * <p>Thread: one.
 */
final class PatternStream extends InputStream {
    private static final int STEP_BYTES = 1 << 20;

    private final byte[] step = new byte[STEP_BYTES];
    private final long sizeBytes;
    private long position;

    PatternStream(long sizeBytes, long seed) {
        this.sizeBytes = sizeBytes;
        SplittableRandom random = new SplittableRandom(seed);
        random.nextBytes(step);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (position >= sizeBytes) {
            return -1;
        }
        int inStep = (int) (position % STEP_BYTES);
        int count = (int) Math.min(Math.min(length, STEP_BYTES - inStep), sizeBytes - position);
        number(position / STEP_BYTES);
        System.arraycopy(step, inStep, target, offset, count);
        position += count;
        return count;
    }

    /** Whether a file has exactly this content. */
    static boolean matches(Path file, long sizeBytes, long seed) throws IOException {
        PatternStream expected = new PatternStream(sizeBytes, seed);
        byte[] wanted = new byte[STEP_BYTES];
        byte[] found = new byte[STEP_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            while (true) {
                int length = expected.readNBytes(wanted, 0, STEP_BYTES);
                if (in.readNBytes(found, 0, STEP_BYTES) != length
                        || !Arrays.equals(wanted, 0, length, found, 0, length)) {
                    return false;
                }
                if (length < STEP_BYTES) {
                    return in.read() < 0;
                }
            }
        }
    }

    private void number(long index) {
        for (int i = 0; i < Long.BYTES; i++) {
            step[i] = (byte) (index >>> (8 * i));
        }
    }
}
