package io.hawser.ptcp.session;

/**
 * Decides when to send a heartbeat, and when the peer counts as dead. Times are any monotonic nanoseconds.
 *
 * <p>Thread: the session's loop only.
 */
public final class Heartbeat {
    private static final int TICKS_PER_TIMEOUT = 3;
    private static final long LEAST_INTERVAL_MILLIS = 20;
    private static final long LEAST_TIMEOUT_MILLIS = 100;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final long intervalNanos;
    private final long timeoutNanos;
    private long heardNanos;
    private long askedNanos;
    private long rttNanos = -1;

    /** Creates the heartbeat that both sides agreed on. Least values bound the work that a peer can cause. */
    public static Heartbeat ofMillis(long intervalMillis, long timeoutMillis, long nowNanos) {
        return new Heartbeat(
                Math.max(LEAST_INTERVAL_MILLIS, intervalMillis) * NANOS_PER_MILLI,
                Math.max(LEAST_TIMEOUT_MILLIS, timeoutMillis) * NANOS_PER_MILLI,
                nowNanos);
    }

    /** Creates the heartbeat of a session whose peer was last heard at {@code nowNanos}. */
    public Heartbeat(long intervalNanos, long timeoutNanos, long nowNanos) {
        this.timeoutNanos = timeoutNanos;
        this.intervalNanos = Math.max(1, Math.min(intervalNanos, timeoutNanos / TICKS_PER_TIMEOUT));
        heardNanos = nowNanos;
        askedNanos = nowNanos;
    }

    /** The interval at which the caller calls {@link #isPeerDead} and sends a PING. */
    public long intervalNanos() {
        return intervalNanos;
    }

    /** How long a peer may be silent. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Anything arrived from the peer. */
    public void onHeard(long nowNanos) {
        heardNanos = nowNanos;
    }

    /** The answer to a PING arrived, whose token was the time at which it left. */
    public void onPong(long tokenNanos, long nowNanos) {
        rttNanos = Math.max(0, nowNanos - tokenNanos);
    }

    /** The last measured round trip, or -1. */
    public long rttNanos() {
        return rttNanos;
    }

    /**
     * Whether this process was stopped or swapped out for so long that the peer's silence means nothing, because its messages may wait in
     * the socket. Then the timeout starts again. Called at each interval, before {@link #isPeerDead}.
     */
    public boolean isOverslept(long nowNanos) {
        boolean overslept = nowNanos - askedNanos > intervalNanos + timeoutNanos / 2;
        askedNanos = nowNanos;
        if (overslept) {
            heardNanos = nowNanos;
        }
        return overslept;
    }

    /** Whether nothing was heard for the whole limit. */
    public boolean isPeerDead(long nowNanos) {
        return nowNanos - heardNanos > timeoutNanos;
    }
}
