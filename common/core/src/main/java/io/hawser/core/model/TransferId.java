package io.hawser.core.model;

import org.jspecify.annotations.Nullable;

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

    // Written out, since what a record has by default is linked at run time: the maps of each hop ask for it all the
    // time.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TransferId that && low == that.low && high == that.high;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
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
