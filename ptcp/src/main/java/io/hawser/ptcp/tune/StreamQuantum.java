package io.hawser.ptcp.tune;

/**
 * Computes how many bytes a stream gets at a time: what it sends in {@value #MILLIS} ms. Bytes that wait in a stream cannot use another, so on a slow one few may wait, or the end of a transfer is late; on a fast one small portions only cost time.
 */
public final class StreamQuantum {
    static final int MILLIS = 20;

    /** The least: what a stream may send in its first round trip (RFC 6928) fits in. */
    public static final int LEAST_BYTES = 16 << 10;

    /** Streams with a shorter round trip have no quantum. */
    static final long NEAR_NANOS = 2_000_000L;

    private static final int MILLIS_PER_SECOND = 1000;

    private StreamQuantum() {}

    /** The quantum of a stream, or {@link Integer#MAX_VALUE} if there is no reason for one. */
    public static int bytes(StreamMeasure measure) {
        // A busy machine acknowledges late; how near the peer is shows in the shortest round trip.
        long distanceNanos = measure.roundTrip().minNanos() > 0
                ? measure.roundTrip().minNanos()
                : measure.roundTrip().nanos();
        if (distanceNanos < NEAR_NANOS) {
            return Integer.MAX_VALUE;
        }
        double bytes = measure.bytesPerSecond() * MILLIS / MILLIS_PER_SECOND;
        return (int) Math.max(LEAST_BYTES, Math.min(Integer.MAX_VALUE, bytes));
    }
}
