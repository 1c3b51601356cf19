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
public final class StreamStatsAggregator {
    /** A direction that was idle or limited for more than this part of a tick has no demand. */
    static final double IDLE_SHARE = 0.2;

    /** The shortest round trip is kept for this window and the one before. */
    static final long MIN_RTT_WINDOW_NANOS = 300_000_000_000L;

    private final Map<Integer, StreamMeasure> last = new HashMap<>();
    private Sums sums = new Sums();
    private long lastNanos;
    private long minRttNanos = Long.MAX_VALUE;
    private long minRttBeforeNanos = Long.MAX_VALUE;
    private long minRttBeganNanos;

    /** Of one tick. */
    private static final class Sums {
        long deliveredBytes;
        long sentSegments;
        long resentSegments;
        long busyNanos;
        long windowLimitedNanos;
        long rttNanos;
        int rttCount;
        long leastRttNanos = Long.MAX_VALUE;
        long minRttNanos = Long.MAX_VALUE;

        void add(StreamMeasure.RoundTrip now) {
            if (now.nanos() > 0) {
                rttNanos += now.nanos();
                rttCount++;
                leastRttNanos = Math.min(leastRttNanos, now.nanos());
            }
            if (now.minNanos() > 0) {
                minRttNanos = Math.min(minRttNanos, now.minNanos());
            }
        }

        void add(StreamMeasure.Segments before, StreamMeasure.Segments now) {
            deliveredBytes += Math.max(0, now.delivered() - before.delivered()) * now.bytes();
            sentSegments += Math.max(0, now.sent() - before.sent());
            resentSegments += Math.max(0, now.resent() - before.resent());
        }

        void add(StreamMeasure.SendTime before, StreamMeasure.SendTime now) {
            busyNanos += Math.max(0, now.busyNanos() - before.busyNanos());
            windowLimitedNanos += Math.max(0, now.windowLimitedNanos() - before.windowLimitedNanos());
        }
    }

    /** Creates the meter of a direction that begins at {@code nowNanos}. */
    public StreamStatsAggregator(long nowNanos) {
        lastNanos = nowNanos;
        minRttBeganNanos = nowNanos;
    }

    /** Adds a stream's measurement at the end of this tick. */
    public void add(int stream, StreamMeasure measure) {
        StreamMeasure before = last.put(stream, measure);
        sums.add(measure.roundTrip());
        if (before != null) {
            sums.add(before.segments(), measure.segments());
            sums.add(before.time(), measure.time());
        }
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

    /** @param idleNanos for how long streams could have taken more packets, or were limited */
    public IntervalSample end(long nowNanos, long idleNanos) {
        long lengthNanos = Math.max(1, nowNanos - lastNanos);
        Sums of = sums;
        boolean isRttKnown = of.rttCount > 0;
        lastNanos = nowNanos;
        sums = new Sums();
        return new IntervalSample(
                nowNanos,
                lengthNanos,
                of.deliveredBytes,
                new IntervalSample.RoundTrips(
                        isRttKnown ? of.rttNanos / of.rttCount : -1,
                        isRttKnown ? of.leastRttNanos : -1,
                        minRttNanos(nowNanos, of.minRttNanos)),
                new IntervalSample.Load(
                        share(of.resentSegments, of.sentSegments),
                        share(of.windowLimitedNanos, of.busyNanos),
                        idleNanos <= lengthNanos * IDLE_SHARE,
                        of.busyNanos >= lengthNanos * (1 - IDLE_SHARE)));
    }

    private long minRttNanos(long nowNanos, long tickMinRttNanos) {
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
