package io.hawser.ptcp.tune;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up what the streams of one direction say, from tick to tick. A stream counts from the first time that it is seen.
 *
 * <p>Thread: the session's loop only.
 */
public final class DirectionMeter {
    /** A direction that lacked something to send, or was held back on purpose, for more than this part of a tick has no demand. */
    static final double IDLE_SHARE = 0.2;

    private final Map<Integer, StreamMeasure> last = new HashMap<>();
    private long lastNanos;
    private long deliveredBytes;
    private long sentSegments;
    private long resentSegments;
    private long busyNanos;
    private long windowLimitedNanos;
    private long rttSumNanos;
    private int rttCount;
    private long leastRttNanos = Long.MAX_VALUE;
    private long minRttNanos = -1;

    /** Creates the meter of a direction that begins at {@code nowNanos}. */
    public DirectionMeter(long nowNanos) {
        lastNanos = nowNanos;
    }

    /** What a stream's socket says at the end of this tick. */
    public void add(int stream, StreamMeasure measure) {
        StreamMeasure before = last.put(stream, measure);
        if (measure.rttNanos() > 0) {
            rttSumNanos += measure.rttNanos();
            rttCount++;
            leastRttNanos = Math.min(leastRttNanos, measure.rttNanos());
        }
        if (measure.minRttNanos() > 0 && (minRttNanos < 0 || measure.minRttNanos() < minRttNanos)) {
            minRttNanos = measure.minRttNanos();
        }
        if (before != null) {
            deliveredBytes +=
                    Math.max(0, measure.deliveredSegments() - before.deliveredSegments()) * measure.segmentBytes();
            sentSegments += Math.max(0, measure.sentSegments() - before.sentSegments());
            resentSegments += Math.max(0, measure.resentSegments() - before.resentSegments());
            busyNanos += Math.max(0, measure.busyNanos() - before.busyNanos());
            windowLimitedNanos += Math.max(0, measure.windowLimitedNanos() - before.windowLimitedNanos());
        }
    }

    /** The stream is gone. */
    public void remove(int stream) {
        last.remove(stream);
    }

    /**
     * Ends the tick.
     *
     * @param idleNanos for how long in it a stream could have taken more than there was, or was held back on purpose
     */
    public Tick end(long nowNanos, long idleNanos) {
        long lengthNanos = Math.max(1, nowNanos - lastNanos);
        Tick tick = new Tick(
                nowNanos,
                lengthNanos,
                deliveredBytes,
                rttCount == 0 ? -1 : rttSumNanos / rttCount,
                rttCount == 0 ? -1 : leastRttNanos,
                minRttNanos,
                share(resentSegments, sentSegments),
                share(windowLimitedNanos, busyNanos),
                idleNanos <= lengthNanos * IDLE_SHARE,
                busyNanos >= lengthNanos * (1 - IDLE_SHARE));
        lastNanos = nowNanos;
        deliveredBytes = 0;
        sentSegments = 0;
        resentSegments = 0;
        busyNanos = 0;
        windowLimitedNanos = 0;
        rttSumNanos = 0;
        rttCount = 0;
        leastRttNanos = Long.MAX_VALUE;
        return tick;
    }

    private static double share(long part, long whole) {
        return whole <= 0 ? 0 : Math.min(1, (double) part / whole);
    }
}
