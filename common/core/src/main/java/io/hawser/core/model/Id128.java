package io.hawser.core.model;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Text form, byte form and unsigned order of the 128 bits of {@link NodeId} and {@link TransferId}. */
final class Id128 {
    static final int LENGTH_BYTES = 16;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    private Id128() {}

    static String toHex(long high, long low) {
        byte[] text = new byte[2 * LENGTH_BYTES];
        putHex(high, low, text, 0);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** Writes 32 hex digits into {@code text} at {@code at}. */
    static void putHex(long high, long low, byte[] text, int at) {
        for (int i = 0; i < LENGTH_BYTES; i++) {
            int shift = Long.SIZE - 4 * (i + 1);
            text[at + i] = DIGITS[(int) (high >>> shift) & 0xf];
            text[at + LENGTH_BYTES + i] = DIGITS[(int) (low >>> shift) & 0xf];
        }
    }

    /** Parses 32 hex digits into {high, low}. Throws {@link IllegalArgumentException} with {@code what} in its message. */
    static long[] parse(String text, String what) {
        if (text.length() != 2 * LENGTH_BYTES) {
            throw new IllegalArgumentException(what + " is 32 hex digits, not \"" + text + "\"");
        }
        try {
            return new long[] {HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32)};
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " is 32 hex digits, not \"" + text + "\"", e);
        }
    }

    static int compare(long high, long low, long otherHigh, long otherLow) {
        int byHigh = Long.compareUnsigned(high, otherHigh);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, otherLow);
    }
}
