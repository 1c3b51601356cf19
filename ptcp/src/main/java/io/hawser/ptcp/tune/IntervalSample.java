package io.hawser.ptcp.tune;

/**
 * Measurements of one direction of a session between two ticks.
 *
 * @param nowNanos when it ended
 * @param lengthNanos how long it was
 * @param deliveredBytes what the peer's system received in it
 * @param roundTrips over all streams
 * @param load how the streams were used
 */
public record IntervalSample(long nowNanos, long lengthNanos, long deliveredBytes, RoundTrips roundTrips, Load load) {
    /**
     * Round trips over all streams.
     *
     * @param meanNanos mean of the smoothed ones, or -1
     * @param leastNanos least of the smoothed ones, or -1
     * @param minNanos the shortest of the last minutes, or -1
     */
    public record RoundTrips(long meanNanos, long leastNanos, long minNanos) {
        private long above(long nanos) {
            return nanos > 0 && minNanos > 0 ? Math.max(0, nanos - minNanos) : 0;
        }
    }

    /**
     * How the streams were used.
     *
     * @param lossShare the part of the segments that was sent again
     * @param windowLimitedShare the part of the sending time in which a window or buffer was the limit
     * @param demand whether there was more to send than the streams took, all the time
     * @param busy whether bytes were in flight all the time
     */
    public record Load(double lossShare, double windowLimitedShare, boolean demand, boolean busy) {}

    /** Mean queueing delay: how much longer than the shortest a round trip was; 0 if unknown. */
    public long queueNanos() {
        return roundTrips.above(roundTrips.meanNanos);
    }

    /** Least queueing delay of any stream, which a machine that is late with some packets does not raise; 0 if unknown. */
    public long leastQueueNanos() {
        return roundTrips.above(roundTrips.leastNanos);
    }
}
