package io.hawser.ptcp.tune;

/**
 * Computes the rate of a low-priority session that yields to other traffic, which it detects by a queue (the round trip exceeds its minimum) or by loss. The rate rises slowly and falls by a sixth when others suffer, never below the least rate. The idea is LEDBAT's (RFC 6817), applied to the sum of the streams.
 *
 * <p>Thread: the session's loop only.
 */
public final class BackgroundRateControl {
    /** The least rate. */
    public static final long LEAST_BYTES_PER_SECOND = 16 << 10;

    static final double LOSS_SHARE = 0.02;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final long LEAST_QUEUE_NANOS = 10 * NANOS_PER_MILLI;
    private static final long MOST_QUEUE_NANOS = 60 * NANOS_PER_MILLI;
    private static final long LEAST_STEP_NANOS = 100 * NANOS_PER_MILLI;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double YIELD = 0.85;
    private static final double CREEP = 1.03;
    private static final double LEAP = 1.25;

    private long stepBeganNanos = Long.MIN_VALUE;
    private long stepBytes;
    private double worstLoss;
    private double rate;
    private boolean yielded;

    /**
     * @return bytes per second for all streams together, or 0 for no limit
     */
    public long onTick(IntervalSample tick) {
        if (stepBeganNanos == Long.MIN_VALUE) {
            stepBeganNanos = tick.nowNanos() - tick.lengthNanos();
        }
        stepBytes += tick.deliveredBytes();
        worstLoss = Math.max(worstLoss, tick.load().lossShare());
        long lengthNanos = tick.nowNanos() - stepBeganNanos;
        if (lengthNanos >= Math.max(LEAST_STEP_NANOS, tick.roundTrips().meanNanos())) {
            double goodput = stepBytes * NANOS_PER_SECOND / lengthNanos;
            step(tick, goodput);
            stepBeganNanos = tick.nowNanos();
            stepBytes = 0;
            worstLoss = 0;
        }
        return yielded ? (long) rate : 0;
    }

    private void step(IntervalSample tick, double goodput) {
        boolean queue = tick.queueNanos() > allowedQueueNanos(tick.roundTrips().minNanos());
        if (queue || worstLoss > LOSS_SHARE) {
            double from = yielded ? Math.min(rate, Math.max(goodput, rate / 2)) : goodput;
            rate = Math.max(LEAST_BYTES_PER_SECOND, from * YIELD);
            yielded = true;
        } else if (yielded) {
            boolean free =
                    tick.queueNanos() < allowedQueueNanos(tick.roundTrips().minNanos()) / 4;
            rate *= free ? LEAP : CREEP;
            yielded = rate < goodput * 8 + LEAST_BYTES_PER_SECOND; // a limit that is far away is none
        }
    }

    static long allowedQueueNanos(long minRttNanos) {
        return Math.min(MOST_QUEUE_NANOS, Math.max(LEAST_QUEUE_NANOS, minRttNanos / 4));
    }
}
