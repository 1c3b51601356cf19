package io.hawser.core.model;

/**
 * The id of a transfer, chosen by its publisher: 48 bits of milliseconds since the epoch, then 80 random bits, so that ids sort by time of
 * creation.
 *
 * @param high time and the first random bits
 * @param low the last 64 random bits
 */
public record TransferId(long high, long low) implements Comparable<TransferId> {
    /** Builds an id from a time in milliseconds since the epoch (0 to 2^48-1) and 128 random bits, of which 80 are used. */
    public static TransferId of(long epochMillis, long randomHigh, long randomLow) {
        return new TransferId(epochMillis << 16 | (randomHigh & 0xFFFF), randomLow);
    }

    /** Parses 32 hex digits; {@link IllegalArgumentException} otherwise. */
    public static TransferId parse(String text) {
        long[] bits = Id128.parse(text, "a transfer id");
        return new TransferId(bits[0], bits[1]);
    }

    /** The time of creation, milliseconds since the epoch, by the publisher's clock. */
    public long epochMillis() {
        return high >>> 16;
    }

    @Override
    public int compareTo(TransferId other) {
        return Id128.compare(high, low, other.high, other.low);
    }

    @Override
    public String toString() {
        return Id128.toHex(high, low);
    }
}
