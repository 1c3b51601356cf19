package io.hawser.release.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Content that costs nothing to make, cannot be compressed, and differs in each MiB: one random MiB whose first bytes are
 * its number.
 *
 * <p>Thread: one.
 */
public final class PatternStream extends InputStream {
    private static final int STEP_BYTES = 1 << 20;

    private final byte[] step;
    private final long sizeBytes;
    private long position;

    /** So many bytes, the same for the same seed. */
    public PatternStream(long sizeBytes, long seed) {
        this.sizeBytes = sizeBytes;
        step = new byte[(int) Math.min(STEP_BYTES, Math.max(Long.BYTES, sizeBytes))];
        new SplittableRandom(seed).nextBytes(step);
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
        int count = (int) Math.min(Math.min(length, step.length - inStep), sizeBytes - position);
        number(position / STEP_BYTES);
        System.arraycopy(step, inStep, target, offset, count);
        position += count;
        return count;
    }

    /** Whether a file has exactly this content. */
    public static boolean matches(Path file, long sizeBytes, long seed) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return firstDifference(in, sizeBytes, seed).isEmpty();
        }
    }

    /**
     * How something differs from this content.
     *
     * @param position of the first other byte; the length of the shorter one if that is all there is
     * @param foundBytes the length of what was found
     */
    public record Difference(long position, long foundBytes) {}

    /** How {@code found} differs from this content, if it does. It is read to its end. */
    public static Optional<Difference> firstDifference(InputStream found, long sizeBytes, long seed)
            throws IOException {
        PatternStream expected = new PatternStream(sizeBytes, seed);
        byte[] wanted = new byte[expected.step.length];
        byte[] there = new byte[expected.step.length];
        for (long position = 0; ; position += wanted.length) {
            int wantedLength = expected.readNBytes(wanted, 0, wanted.length);
            int length = found.readNBytes(there, 0, there.length);
            int differs = Arrays.mismatch(wanted, 0, wantedLength, there, 0, length);
            if (differs >= 0) {
                long rest =
                        found.transferTo(OutputStream.nullOutputStream()); // whoever sends it wants to send all of it
                return Optional.of(new Difference(position + differs, position + length + rest));
            }
            if (length < there.length) {
                return Optional.empty();
            }
        }
    }

    private void number(long index) {
        for (int i = 0; i < Long.BYTES; i++) {
            step[i] = (byte) (index >>> (8 * i));
        }
    }
}
