package io.hawser.core.model;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a node and its data directory: 128 random bits, made once. Publishers, subscription owners and reply addresses are node
 * ids.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record NodeId(long high, long low) implements Comparable<NodeId> {
    /** Parses 32 hex digits; {@link IllegalArgumentException} otherwise. */
    public static NodeId parse(String text) {
        long[] bits = Id128.parse(text, "a node id");
        return new NodeId(bits[0], bits[1]);
    }

    // Written out, since what a record has by default is linked at run time: the maps of each hop ask for it all the
    // time.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodeId that && low == that.low && high == that.high;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
    }

    @Override
    public int compareTo(NodeId other) {
        return Id128.compare(high, low, other.high, other.low);
    }

    @Override
    public String toString() {
        return Id128.toHex(high, low);
    }
}
