package io.hawser.ptcp.tune;

/**
 * Limits the sum of a session's streams to a rate. A packet of any length may leave while there are tokens; the next one waits until the debt is paid.
 *
 * <p>Thread: the session's loop only.
 */
public final class TokenBucket {
    /** The burst after a pause, as time at the rate. */
    static final long BURST_NANOS = 20_000_000L;

    /** The least burst: one packet of the smallest size. */
    static final long LEAST_BURST_BYTES = 16 << 10;

    private static final double NANOS_PER_SECOND = 1e9;

    private long bytesPerSecond;
    private double tokens;
    private long lastNanos;

    /** Creates a full bucket; a rate of 0 is no limit. */
    public TokenBucket(long bytesPerSecond, long nowNanos) {
        this.bytesPerSecond = bytesPerSecond;
        lastNanos = nowNanos;
        tokens = burstBytes();
    }

    /** Changes the rate; 0 is no limit. */
    public void rate(long newBytesPerSecond, long nowNanos) {
        refill(nowNanos);
        bytesPerSecond = newBytesPerSecond;
        tokens = Math.min(tokens, burstBytes());
    }

    /** The rate, or 0. */
    public long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** How long the next packet has to wait; 0 if it may leave. */
    public long waitNanos(long nowNanos) {
        if (bytesPerSecond == 0) {
            return 0;
        }
        refill(nowNanos);
        return tokens > 0 ? 0 : (long) Math.ceil((1 - tokens) * NANOS_PER_SECOND / bytesPerSecond);
    }

    /** A packet leaves. */
    public void take(long bytes) {
        tokens -= bytes;
    }

    private void refill(long nowNanos) {
        double earned = Math.max(0, nowNanos - lastNanos) * (double) bytesPerSecond / NANOS_PER_SECOND;
        tokens = bytesPerSecond == 0 ? burstBytes() : Math.min(burstBytes(), tokens + earned);
        lastNanos = Math.max(lastNanos, nowNanos);
    }

    private double burstBytes() {
        return Math.max(LEAST_BURST_BYTES, bytesPerSecond * (BURST_NANOS / NANOS_PER_SECOND));
    }
}
