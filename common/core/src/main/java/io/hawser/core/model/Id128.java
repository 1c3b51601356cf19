package io.hawser.core.model;

import java.util.HexFormat;

/** Text form, byte form and unsigned order of the 128 bits of {@link NodeId} and {@link TransferId}. */
final class Id128 {
    static final int LENGTH_BYTES = 16;

    private Id128() {}

    static String toHex(long high, long low) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
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
