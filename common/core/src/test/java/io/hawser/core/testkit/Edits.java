package io.hawser.core.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Damage that a fuzzer chooses: each four bytes are one edit of a sound file (where, two bytes; what, one byte; how, one byte). So an
 * input is as long as the damage, not as the file.
 */
public final class Edits {
    private static final int EDIT_BYTES = 4;
    private static final int CUT = 1;
    private static final int ZERO_FROM = 2;
    private static final int COPY = 3;

    private Edits() {}

    /**
     * A copy of {@code sound} with the edits in {@code data}.
     *
     * @param unit how far apart two places lie that an edit can name
     * @param edited told each place
     */
    public static byte[] apply(byte[] sound, byte[] data, int unit, IntConsumer edited) {
        byte[] bytes = sound.clone();
        int length = bytes.length;
        ByteBuffer in = ByteBuffer.wrap(data);
        while (in.remaining() >= EDIT_BYTES && length > 0) {
            int at = Math.floorMod(in.getShort() * unit, length);
            byte value = in.get();
            switch (in.get() & 0x0F) {
                case CUT -> length = at;
                case ZERO_FROM -> Arrays.fill(bytes, at, Math.min(length, at + (value & 0xFF) * 16), (byte) 0);
                case COPY ->
                    System.arraycopy(
                            sound,
                            Math.floorMod(value * 128, sound.length - 128),
                            bytes,
                            at,
                            Math.min(128, length - at));
                default -> bytes[at] = value;
            }
            edited.accept(at);
        }
        return Arrays.copyOf(bytes, length);
    }

    /** The same where nobody wants to know the places. */
    public static byte[] apply(byte[] sound, byte[] data) {
        return apply(sound, data, 1, at -> {});
    }
}
