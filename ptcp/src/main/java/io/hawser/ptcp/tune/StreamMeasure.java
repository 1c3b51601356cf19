package io.hawser.ptcp.tune;

/**
 * The socket statistics of a stream's sending side. Counters never reset while the stream lives; if the system does not report a value
 * it is 0, and the round trip -1.
 *
 * @param rttNanos smoothed round trip, or -1
 * @param minRttNanos shortest round trip, or -1
 * @param congestionWindowBytes what may be on its way at once
 * @param pacingBytesPerSecond at what rate the system sends, or 0
 * @param deliveredSegments segments that the peer's system has, also those behind a gap
 * @param segmentBytes how long they are now
 * @param sentSegments segments sent, with those sent again
 * @param resentSegments segments sent again
 * @param busyNanos time in which there was something to send
 * @param windowLimitedNanos the part of it in which the receiver's window or the send buffer was the limit
 * @param unsentBytes what waits in the socket and has never left
 */
public record StreamMeasure(
        long rttNanos,
        long minRttNanos,
        long congestionWindowBytes,
        long pacingBytesPerSecond,
        long deliveredSegments,
        long segmentBytes,
        long sentSegments,
        long resentSegments,
        long busyNanos,
        long windowLimitedNanos,
        int unsentBytes) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Where the round trip is shorter, nothing waits for one that matters. */
    private static final long NEAR_NANOS = 5_000_000L;

    /** The rate at which the stream can send now, in bytes per second; 0 if that is not known. */
    public double bytesPerSecond() {
        double byWindow = windowBytesPerSecond();
        return byWindow > 0 && pacingBytesPerSecond > 0 ? Math.min(byWindow, (double) pacingBytesPerSecond) : byWindow;
    }

    /** What waits in the socket, if the congestion window is too small to let it leave within a round trip; 0 otherwise. */
    public int stuckBytes() {
        boolean stands = congestionWindowBytes > 0 && unsentBytes > congestionWindowBytes;
        return stands && rttNanos > NEAR_NANOS ? unsentBytes : 0;
    }

    /** The rate that the congestion window allows, in bytes per second; 0 if that is not known. */
    public double windowBytesPerSecond() {
        return rttNanos <= 0 || congestionWindowBytes <= 0 ? 0 : congestionWindowBytes * NANOS_PER_SECOND / rttNanos;
    }
}
