package io.hawser.ptcp.session;

import java.util.random.RandomGenerator;

/**
 * How long a lost stream waits before it is dialled again: exponential, with jitter, so that the streams of many sessions
 * that died together do not come back together. There is no limit of attempts; the session's heartbeat is the limit.
 *
 * @param firstNanos wait before the first attempt
 * @param factor by which each further wait is longer
 * @param capNanos longest wait
 * @param jitter the part of a wait, 0 to 1, that is random
 * @param stableNanos a stream that lived so long is forgiven its earlier deaths
 */
public record RedialPolicy(long firstNanos, double factor, long capNanos, double jitter, long stableNanos) {
    /** 50 ms, doubling up to 5 s, half of it random; forgiven after 10 s. */
    public static final RedialPolicy DEFAULT = new RedialPolicy(50_000_000L, 2.0, 5_000_000_000L, 0.5, 10_000_000_000L);

    /**
     * The wait before an attempt.
     *
     * @param failures how often in a row the stream died or could not be made, 1 or more
     */
    public long waitNanos(int failures, RandomGenerator random) {
        double full = Math.min((double) capNanos, firstNanos * Math.pow(factor, failures - 1.0));
        return (long) (full * (1 - jitter) + full * jitter * random.nextDouble());
    }

    /** How often the stream counts as failed after another death. */
    public int failuresAfter(int failures, long livedNanos) {
        return livedNanos >= stableNanos ? 1 : failures + 1;
    }
}
