package io.hawser.common.hop;

/**
 * Decides when a fragment that was sent whole has waited so long for its ack that its stream lags. An ack waits for the
 * receiver's disk too, and a busy disk is no reason to send anything again; so it depends on what else was acked:
 *
 * <ul>
 *   <li>something that was sent later is acked already: after four times the smoothed time that acks take, and never
 *       before {@value #MIN_WAIT_MILLIS} ms;
 *   <li>nothing was: after eight times that, and never before {@value #MIN_SILENCE_MILLIS} ms.
 * </ul>
 *
 * The order of acks as evidence is the idea of RACK (RFC 8985).
 */
final class TailPolicy {
    private static final int MIN_WAIT_MILLIS = 500;
    private static final int MIN_SILENCE_MILLIS = 1500;
    private static final long MIN_WAIT_NANOS = MIN_WAIT_MILLIS * 1_000_000L;
    private static final long MIN_SILENCE_NANOS = MIN_SILENCE_MILLIS * 1_000_000L;
    private static final int SMOOTHING = 8;

    private long smoothedNanos;
    private long newestAckedNanos = Long.MIN_VALUE;

    /** A fragment whose last packet was given to a stream at {@code sentAtNanos} is acked. */
    void acked(long sentAtNanos, long nowNanos) {
        smoothedNanos += (nowNanos - sentAtNanos - smoothedNanos) / SMOOTHING;
        newestAckedNanos = Math.max(newestAckedNanos, sentAtNanos);
    }

    /** Whether a fragment whose last packet was given to a stream then is to be sent on another stream too. */
    boolean lags(long sentAtNanos, long nowNanos) {
        long waitedNanos = nowNanos - sentAtNanos;
        return newestAckedNanos > sentAtNanos
                ? waitedNanos > Math.max(MIN_WAIT_NANOS, 4 * smoothedNanos)
                : waitedNanos > Math.max(MIN_SILENCE_NANOS, 8 * smoothedNanos);
    }
}
