package io.hawser.core.model;

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

    @Override
    public int compareTo(NodeId other) {
        return Id128.compare(high, low, other.high, other.low);
    }

    @Override
    public String toString() {
        return Id128.toHex(high, low);
    }
}
