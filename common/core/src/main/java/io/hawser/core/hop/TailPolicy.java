package io.hawser.core.hop;

/**
 * Decides when a fragment that was sent whole has waited so long for its ack that its stream lags. An ack waits for the
 * receiver's disk too, and a busy disk is no reason to send anything again; so it depends on what else was acked, and on how
 * evenly acks come:
 *
 * <ul>
 *   <li>something that was sent later is acked already: after the smoothed time that acks take and as much again, or four times
 *       their mean deviation if that is more; never before {@value #MIN_WAIT_MILLIS} ms;
 *   <li>nothing was: after twice that, and never before {@value #MIN_SILENCE_MILLIS} ms.
 * </ul>
 *
 * The order of acks as evidence is the idea of RACK (RFC 8985), time and deviation are those of RFC 6298.
 */
final class TailPolicy {
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

    /** A fragment whose last packet was given to a stream at {@code sentAtNanos} is acked. */
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

    /** Whether a fragment whose last packet was given to a stream then is to be sent on another stream too. */
    boolean lags(long sentAtNanos, long nowNanos) {
        long waitedNanos = nowNanos - sentAtNanos;
        long usual = Math.max(0, smoothedNanos);
        long patience = usual + Math.max(usual, DEVIATIONS * deviationNanos);
        return newestAckedNanos > sentAtNanos
                ? waitedNanos > Math.max(MIN_WAIT_NANOS, patience)
                : waitedNanos > Math.max(MIN_SILENCE_NANOS, 2 * patience);
    }
}
