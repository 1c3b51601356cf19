package io.hawser.core.model;

import java.time.Duration;

/**
 * Delays and number of retries after a failure. After attempt n, from 1, the delay is {@code first * factor^(n-1)}, at most {@code cap},
 * shortened by a random part of up to {@code jitter}, so that clients that failed together do not retry together.
 *
 * @param first the wait after the first attempt
 * @param factor growth from one wait to the next, 1 or more
 * @param cap the longest wait
 * @param jitter the largest part of a delay that is cut at random, 0 to 1
 * @param limit the most attempts, or {@link #NO_LIMIT}
 */
public record RetryPolicy(Duration first, double factor, Duration cap, double jitter, int limit) {
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    public RetryPolicy {
        if (first.isNegative() || cap.compareTo(first) < 0 || factor < 1 || jitter < 0 || jitter > 1 || limit < 1) {
            throw new IllegalArgumentException("a retry policy needs 0 <= first <= cap, factor >= 1, jitter from 0 to 1"
                    + " and a limit of at least 1: " + first + ", " + cap + ", " + factor + ", " + jitter + ", "
                    + limit);
        }
    }

    /** From {@code first} to {@code cap}, doubling, with a jitter of a quarter, without end. */
    public static RetryPolicy forever(Duration first, Duration cap) {
        return new RetryPolicy(first, 2, cap, 0.25, NO_LIMIT);
    }

    /** Whether there is another attempt after {@code attempts} of them have failed. */
    public boolean allowsAfter(int attempts) {
        return limit == NO_LIMIT || attempts < limit;
    }

    /**
     * The wait after attempt {@code attempt}.
     *
     * @param attempt which one failed, from 1
     * @param chance a random number from 0 (inclusive) to 1 (exclusive)
     */
    public Duration delayAfter(int attempt, double chance) {
        double grown = (double) first.toNanos() * Math.pow(factor, attempt - 1.0);
        double capped = Math.min(grown, (double) cap.toNanos());
        return Duration.ofNanos((long) (capped * (1 - jitter * chance)));
    }
}
