package io.hawser.ptcp.tune;

/**
 * Measurements of one direction of a session between two ticks.
 *
 * @param nowNanos when it ended
 * @param lengthNanos how long it was
 * @param deliveredBytes what the peer's system received in it
 * @param rttNanos smoothed round trip, averaged over the streams, or -1
 * @param leastRttNanos the least of the streams' smoothed round trips, or -1
 * @param minRttNanos the shortest round trip of any stream in the last minutes, or -1
 * @param lossShare the part of the segments that was sent again
 * @param windowLimitedShare the part of the sending time in which a window or buffer was the limit
 * @param demand whether there was more to send than the streams took, all the time
 * @param busy whether something was on its way all the time
 */
public record Tick(
        long nowNanos,
        long lengthNanos,
        long deliveredBytes,
        long rttNanos,
        long leastRttNanos,
        long minRttNanos,
        double lossShare,
        double windowLimitedShare,
        boolean demand,
        boolean busy) {
    /** How much longer than the shortest a round trip was: what packets waited in queues; 0 if that is not known. */
    public long queueNanos() {
        return above(rttNanos);
    }

    /** The same of the stream whose packets waited least: a machine that is late with some of them is no queue. */
    public long leastQueueNanos() {
        return above(leastRttNanos);
    }

    private long above(long nanos) {
        return nanos > 0 && minRttNanos > 0 ? Math.max(0, nanos - minRttNanos) : 0;
    }
}
