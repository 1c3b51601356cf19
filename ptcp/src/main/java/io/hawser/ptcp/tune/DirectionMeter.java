package io.hawser.ptcp.tune;

import java.util.HashMap;
import java.util.Map;

/**
 * Adds up the measurements of one direction's streams between ticks. A stream counts from its first measurement.
 *
 * <p>The shortest round trip is that of the last five to ten minutes: a route that became longer would otherwise look like a queue for ever. The kernel's own forgets after five minutes, too.
 *
 * <p>Thread: the session's loop only.
 */
public final class DirectionMeter {
    /** A direction that was idle or limited for more than this part of a tick has no demand. */
    static final double IDLE_SHARE = 0.2;

    /** The shortest round trip is kept for this window and the one before. */
    static final long MIN_RTT_WINDOW_NANOS = 300_000_000_000L;

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
    private long tickMinRttNanos = Long.MAX_VALUE;
    private long minRttNanos = Long.MAX_VALUE;
    private long minRttBeforeNanos = Long.MAX_VALUE;
    private long minRttBeganNanos;

    /** Creates the meter of a direction that begins at {@code nowNanos}. */
    public DirectionMeter(long nowNanos) {
        lastNanos = nowNanos;
        minRttBeganNanos = nowNanos;
    }

    /** Adds a stream's measurement at the end of this tick. */
    public void add(int stream, StreamMeasure measure) {
        StreamMeasure before = last.put(stream, measure);
        StreamMeasure.RoundTrip roundTrip = measure.roundTrip();
        if (roundTrip.nanos() > 0) {
            rttSumNanos += roundTrip.nanos();
            rttCount++;
            leastRttNanos = Math.min(leastRttNanos, roundTrip.nanos());
        }
        if (roundTrip.minNanos() > 0) {
            tickMinRttNanos = Math.min(tickMinRttNanos, roundTrip.minNanos());
        }
        if (before != null) {
            addSegments(before.segments(), measure.segments());
            addTime(before.time(), measure.time());
        }
    }

    private void addSegments(StreamMeasure.Segments before, StreamMeasure.Segments now) {
        deliveredBytes += Math.max(0, now.delivered() - before.delivered()) * now.bytes();
        sentSegments += Math.max(0, now.sent() - before.sent());
        resentSegments += Math.max(0, now.resent() - before.resent());
    }

    private void addTime(StreamMeasure.SendTime before, StreamMeasure.SendTime now) {
        busyNanos += Math.max(0, now.busyNanos() - before.busyNanos());
        windowLimitedNanos += Math.max(0, now.windowLimitedNanos() - before.windowLimitedNanos());
    }

    /** The rate that the stream's congestion window last allowed, in bytes per second; 0 if unknown. */
    public double windowBytesPerSecond(int stream) {
        StreamMeasure measure = last.get(stream);
        return measure == null ? 0 : measure.windowBytesPerSecond();
    }

    /** Forgets a stream. */
    public void remove(int stream) {
        last.remove(stream);
    }

    /**
     * Ends the tick.
     *
     * @param idleNanos for how long streams could have taken more packets, or were limited
     */
    public Tick end(long nowNanos, long idleNanos) {
        long lengthNanos = Math.max(1, nowNanos - lastNanos);
        long minRtt = minRttNanos(nowNanos);
        Tick tick = new Tick(
                nowNanos,
                lengthNanos,
                deliveredBytes,
                new Tick.RoundTrips(
                        rttCount == 0 ? -1 : rttSumNanos / rttCount, rttCount == 0 ? -1 : leastRttNanos, minRtt),
                new Tick.Load(
                        share(resentSegments, sentSegments),
                        share(windowLimitedNanos, busyNanos),
                        idleNanos <= lengthNanos * IDLE_SHARE,
                        busyNanos >= lengthNanos * (1 - IDLE_SHARE)));
        lastNanos = nowNanos;
        deliveredBytes = 0;
        sentSegments = 0;
        resentSegments = 0;
        busyNanos = 0;
        windowLimitedNanos = 0;
        rttSumNanos = 0;
        rttCount = 0;
        leastRttNanos = Long.MAX_VALUE;
        tickMinRttNanos = Long.MAX_VALUE;
        return tick;
    }

    private long minRttNanos(long nowNanos) {
        long ageNanos = nowNanos - minRttBeganNanos;
        if (ageNanos >= MIN_RTT_WINDOW_NANOS) {
            minRttBeforeNanos = ageNanos >= 2 * MIN_RTT_WINDOW_NANOS ? Long.MAX_VALUE : minRttNanos;
            minRttNanos = Long.MAX_VALUE;
            minRttBeganNanos = nowNanos;
        }
        minRttNanos = Math.min(minRttNanos, tickMinRttNanos);
        long least = Math.min(minRttNanos, minRttBeforeNanos);
        return least == Long.MAX_VALUE ? -1 : least;
    }

    private static double share(long part, long whole) {
        return whole <= 0 ? 0 : Math.min(1, (double) part / whole);
    }
}
