package io.hawser.ptcp.tune;

/**
 * Computes the initial and the least number of streams from the round trip alone: before a measurement, what counts is how much can leave at once. A new or rested stream sends ten segments (RFC 6928) in its first
 * round trip, and double that in the next, so on a long link many streams save a small object whole round trips. A congestion
 * control that remembers the path through a pause (BBR) needs few; one that forgets it (cubic, reno) needs many.
 */
public final class StartingStreams {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long SHORT_NANOS = 3 * NANOS_PER_MILLI;
    private static final long MIDDLE_NANOS = 30 * NANOS_PER_MILLI;
    private static final long LONG_NANOS = 200 * NANOS_PER_MILLI;

    private StartingStreams() {}

    /**
     * @param rttNanos round trip, or -1 if it is not known
     * @param forgetful whether the congestion control forgets the path through a pause
     * @param cap the most
     */
    public static int initial(long rttNanos, boolean forgetful, int cap) {
        int streams;
        if (rttNanos < 0) {
            streams = 4;
        } else if (rttNanos < SHORT_NANOS) {
            streams = 2;
        } else if (rttNanos < MIDDLE_NANOS || !forgetful) {
            streams = 4;
        } else {
            streams = rttNanos < LONG_NANOS ? 16 : 48;
        }
        return Math.min(cap, streams);
    }

    /** The least number of streams, so that small objects stay fast. */
    public static int floor(long rttNanos, boolean forgetful, int cap) {
        return rttNanos >= 0 && rttNanos < MIDDLE_NANOS ? 1 : initial(rttNanos, forgetful, cap);
    }
}
