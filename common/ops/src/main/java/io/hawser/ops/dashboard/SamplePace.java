package io.hawser.ops.dashboard;

import java.util.concurrent.TimeUnit;

/**
 * Decides when to sample, and how much. A sample of all rows costs in proportion to their number, so it is taken less often the longer it takes: it
 * uses at most one part in {@value #SHARE} of the time. The newest rows are sampled each second.
 *
 * <p>Thread: the sampler.
 */
final class SamplePace {
    static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int SHARE = 100;

    private long wholeDueNanos;
    private boolean begun;

    boolean isWholeDue(long nowNanos) {
        return !begun || nowNanos - wholeDueNanos >= 0;
    }

    /** A sample of all rows has ended. */
    void tookWhole(long beginNanos, long endNanos) {
        begun = true;
        // A little less than a period, so that the next tick is not a hair too early.
        long rest = Math.max(PERIOD_NANOS - PERIOD_NANOS / 10, (endNanos - beginNanos) * SHARE);
        wholeDueNanos = beginNanos + rest;
    }

    /** How long to wait after a sample that began and ended then; a slow one is followed by as long a pause. */
    static long pauseNanos(long beginNanos, long endNanos) {
        long took = endNanos - beginNanos;
        return Math.max(PERIOD_NANOS - took, took);
    }
}
