package io.hawser.ptcp.tune;

/**
 * The socket statistics of a stream's sending side. Counters never reset while the stream lives; a value that the system does not report
 * is 0, a round trip -1.
 *
 * @param roundTrip round trips
 * @param window what limits the stream now
 * @param segments counters of segments
 * @param time counters of time
 */
public record StreamMeasure(RoundTrip roundTrip, Window window, Segments segments, SendTime time) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Below this round trip it does not matter that bytes wait for one. */
    private static final long NEAR_NANOS = 5_000_000L;

    /**
     * Round trips of a stream.
     *
     * @param nanos smoothed, or -1
     * @param minNanos the shortest, or -1
     */
    public record RoundTrip(long nanos, long minNanos) {}

    /**
     * What limits a stream now.
     *
     * @param congestionBytes the congestion window
     * @param pacingBytesPerSecond the rate at which the system sends, or 0
     * @param unsentBytes bytes in the socket that never left
     */
    public record Window(long congestionBytes, long pacingBytesPerSecond, int unsentBytes) {}

    /**
     * Counters of segments.
     *
     * @param delivered segments that the peer's system has, also those after a gap
     * @param bytes the size of a segment now
     * @param sent segments sent, with those sent again
     * @param resent segments sent again
     */
    public record Segments(long delivered, long bytes, long sent, long resent) {}

    /**
     * Counters of time.
     *
     * @param busyNanos time with something to send
     * @param windowLimitedNanos the part of it in which the receiver's window or the send buffer was the limit
     */
    public record SendTime(long busyNanos, long windowLimitedNanos) {}

    /** A stream of which only the round trip and the bytes that its socket took are known. */
    public static StreamMeasure ofBytes(long rttNanos, long bytes) {
        return new StreamMeasure(
                new RoundTrip(rttNanos, rttNanos),
                new Window(0, 0, 0),
                new Segments(bytes, 1, 0, 0),
                new SendTime(0, 0));
    }

    /** The rate at which the stream can send now, in bytes per second; 0 if unknown. */
    public double bytesPerSecond() {
        double byWindow = windowBytesPerSecond();
        double pacing = (double) window.pacingBytesPerSecond;
        return byWindow > 0 && pacing > 0 ? Math.min(byWindow, pacing) : byWindow;
    }

    /** Bytes in the socket, if the congestion window is too small to let them leave within a round trip; 0 otherwise. */
    public int stuckBytes() {
        boolean exceedWindow = window.congestionBytes > 0 && window.unsentBytes > window.congestionBytes;
        return exceedWindow && roundTrip.nanos > NEAR_NANOS ? window.unsentBytes : 0;
    }

    /** The rate that the congestion window allows, in bytes per second; 0 if unknown. */
    public double windowBytesPerSecond() {
        return roundTrip.nanos <= 0 || window.congestionBytes <= 0
                ? 0
                : window.congestionBytes * NANOS_PER_SECOND / roundTrip.nanos;
    }
}
