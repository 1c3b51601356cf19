package io.hawser.ptcp.tune;

import io.hawser.ptcp.tune.SendLimit.Cause;

/**
 * Estimates from the measurements of a session what limits its rate. Recent ticks count more: the weight of a tick halves about every 300 ms.
 *
 * <p>Thread: the session's loop only.
 */
public final class LimitEstimate {
    private static final double REMEMBERED = 0.8;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Above this part of lost segments loss is felt; a full queue loses some, too. */
    private static final double LOSS = 0.005;

    private static final double MOST_OF_THE_TIME = 0.5;

    private double nanos;
    private double rateWaitNanos;
    private double windowNanos;
    private double queueNanos;
    private double bytes;
    private double lostBytes;
    private long roundTripNanos = -1;
    private long minRoundTripNanos = -1;
    private boolean paced;

    /**
     * Adds a tick.
     *
     * @param rateWaitedNanos the part of it in which the rate held packets back
     * @param pacedToLink whether the streams are limited to the link's estimated rate
     */
    public void onTick(IntervalSample tick, long rateWaitedNanos, boolean pacedToLink) {
        nanos = nanos * REMEMBERED + tick.lengthNanos();
        rateWaitNanos = rateWaitNanos * REMEMBERED + rateWaitedNanos;
        windowNanos = windowNanos * REMEMBERED + tick.load().windowLimitedShare() * tick.lengthNanos();
        queueNanos = queueNanos * REMEMBERED + (double) tick.leastQueueNanos() * tick.lengthNanos();
        bytes = bytes * REMEMBERED + tick.deliveredBytes();
        lostBytes = lostBytes * REMEMBERED + tick.load().lossShare() * Math.max(1, tick.deliveredBytes());
        roundTripNanos = tick.roundTrips().meanNanos();
        minRoundTripNanos = tick.roundTrips().minNanos();
        paced = pacedToLink;
    }

    /** The limit now. */
    public SendLimit now() {
        if (nanos == 0) {
            return SendLimit.UNKNOWN;
        }
        double loss = bytes < 1 ? 0 : lostBytes / bytes;
        return new SendLimit(cause(loss), (long) (bytes * NANOS_PER_SECOND / nanos), roundTripNanos, Math.min(1, loss));
    }

    private Cause cause(double loss) {
        if (rateWaitNanos > MOST_OF_THE_TIME * nanos) {
            return Cause.RATE;
        }
        if (queueNanos / nanos > BottleneckEstimate.fullQueueNanos(minRoundTripNanos)) {
            return Cause.LINK;
        }
        if (loss > LOSS) {
            return Cause.LOSS;
        }
        if (roundTripNanos < 0) {
            return Cause.UNKNOWN;
        }
        if (windowNanos > MOST_OF_THE_TIME * nanos) {
            return Cause.WINDOW;
        }
        return paced || minRoundTripNanos < BottleneckEstimate.NEAR_NANOS ? Cause.LINK : Cause.WINDOW;
    }
}
