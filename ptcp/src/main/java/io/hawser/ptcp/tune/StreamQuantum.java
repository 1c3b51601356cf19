package io.hawser.ptcp.tune;

/**
 * How many bytes a stream is given at a time: what it sends in {@value #MILLIS} ms. What waits in a stream cannot go on
 * another, so on a slow one little may wait, or the end of a transfer hangs on it; on a fast one little would only cost time.
 */
public final class StreamQuantum {
    static final int MILLIS = 20;

    /** The least: what a stream may send in its first round trip (RFC 6928) fits in. */
    public static final int LEAST_BYTES = 16 << 10;

    /** Streams whose round trip is shorter are given whatever they take. */
    static final long NEAR_NANOS = 2_000_000L;

    private static final int MILLIS_PER_SECOND = 1000;

    private StreamQuantum() {}

    /** The quantum of a stream, or {@link Integer#MAX_VALUE} if there is no reason for one. */
    public static int bytes(StreamMeasure measure) {
        // A busy machine acknowledges late; how near the peer is shows in the shortest round trip.
        long distanceNanos = measure.minRttNanos() > 0 ? measure.minRttNanos() : measure.rttNanos();
        if (distanceNanos < NEAR_NANOS) {
            return Integer.MAX_VALUE;
        }
        double bytes = measure.bytesPerSecond() * MILLIS / MILLIS_PER_SECOND;
        return (int) Math.max(LEAST_BYTES, Math.min(Integer.MAX_VALUE, bytes));
    }
}
