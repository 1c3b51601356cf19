package io.hawser.ptcp.session;

import java.util.random.RandomGenerator;

/**
 * The back-off before a lost stream is dialled again: exponential, with jitter, so that streams that were lost together do not return
 * together. Attempts are unlimited, because the heartbeat ends a session without a peer.
 *
 * @param firstNanos wait before the first attempt
 * @param factor by which each further wait is longer
 * @param capNanos longest wait
 * @param jitter the part of a wait, 0 to 1, that is random
 * @param stableNanos a stream that lived this long starts with no failures
 */
public record RedialPolicy(long firstNanos, double factor, long capNanos, double jitter, long stableNanos) {
    /** 50 ms, doubling up to 5 s, half of it random; reset after 10 s. */
    public static final RedialPolicy DEFAULT = new RedialPolicy(50_000_000L, 2.0, 5_000_000_000L, 0.5, 10_000_000_000L);

    /** @param failures losses and failed attempts in a row, 1 or more */
    public long waitNanos(int failures, RandomGenerator random) {
        double full = Math.min((double) capNanos, firstNanos * Math.pow(factor, failures - 1.0));
        return (long) (full * (1 - jitter) + full * jitter * random.nextDouble());
    }

    /** The failures in a row after another loss. */
    public int failuresAfter(int failures, long livedNanos) {
        return livedNanos >= stableNanos ? 1 : failures + 1;
    }
}
