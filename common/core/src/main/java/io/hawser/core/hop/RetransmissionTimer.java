package io.hawser.core.hop;

/**
 * Decides when a fragment has waited so long for its ack that its stream lags. An ack also waits for the receiver's disk, and a busy disk is
 * no reason to send again; so the limit depends on other acks:
 *
 * <ul>
 *   <li>a fragment that was sent later is acked: twice the smoothed time of acks, or that time and four mean deviations if that is more; at
 *       least {@value #MIN_WAIT_MILLIS} ms;
 *   <li>none is: twice that, at least {@value #MIN_SILENCE_MILLIS} ms.
 * </ul>
 *
 * <p>The order of acks as evidence is from RACK (RFC 8985), smoothed time and deviation are those of RFC 6298.
 */
final class RetransmissionTimer {
    private static final int MIN_WAIT_MILLIS = 500;
    private static final int MIN_SILENCE_MILLIS = 1500;
    private static final long MIN_WAIT_NANOS = MIN_WAIT_MILLIS * 1_000_000L;
    private static final long MIN_SILENCE_NANOS = MIN_SILENCE_MILLIS * 1_000_000L;
    private static final int SMOOTHING = 8;
    private static final int DEVIATION_SMOOTHING = 4;
    private static final int DEVIATIONS = 4;

    private long smoothedNanos = -1;
    private long deviationNanos;
    private long newestAckedNanos = Long.MIN_VALUE;

    /** A fragment whose last packet left at {@code sentAtNanos} is acked. */
    void acked(long sentAtNanos, long nowNanos) {
        long tookNanos = nowNanos - sentAtNanos;
        if (smoothedNanos < 0) {
            smoothedNanos = tookNanos;
            deviationNanos = tookNanos / 2;
        } else {
            deviationNanos += (Math.abs(tookNanos - smoothedNanos) - deviationNanos) / DEVIATION_SMOOTHING;
            smoothedNanos += (tookNanos - smoothedNanos) / SMOOTHING;
        }
        newestAckedNanos = Math.max(newestAckedNanos, sentAtNanos);
    }

    /** Whether a fragment whose last packet left at {@code sentAtNanos} is to be sent on another stream too. */
    boolean lags(long sentAtNanos, long nowNanos) {
        long waitedNanos = nowNanos - sentAtNanos;
        long usual = Math.max(0, smoothedNanos);
        long limit = usual + Math.max(usual, DEVIATIONS * deviationNanos);
        return newestAckedNanos > sentAtNanos
                ? waitedNanos > Math.max(MIN_WAIT_NANOS, limit)
                : waitedNanos > Math.max(MIN_SILENCE_NANOS, 2 * limit);
    }
}
