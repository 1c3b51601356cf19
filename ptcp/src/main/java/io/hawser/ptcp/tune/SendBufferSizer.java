package io.hawser.ptcp.tune;

/**
 * Sizes a stream's send buffer. The system sizes it until its limit slows the stream down; then the stream gets four times its congestion window, of which the system uses about half, until that is too little again. Receive buffers are never set, because that would switch their growth off.
 *
 * <p>Thread: the session's loop only.
 */
public final class SendBufferSizer {
    static final double LIMITED_SHARE = 0.1;
    static final int LEAST_BYTES = 1 << 20;
    static final int MOST_BYTES = 16 << 20;
    private static final int WINDOWS = 4;

    private long lastBusyNanos;
    private long lastLimitedNanos;
    private int setBytes;

    /** The send buffer to ask the system for, or 0 to leave it as it is. */
    public int onMeasure(StreamMeasure measure) {
        long busy = measure.time().busyNanos() - lastBusyNanos;
        long limited = measure.time().windowLimitedNanos() - lastLimitedNanos;
        lastBusyNanos = measure.time().busyNanos();
        lastLimitedNanos = measure.time().windowLimitedNanos();
        if (busy <= 0 || limited < busy * LIMITED_SHARE) {
            return 0;
        }
        long wanted = Math.min(
                MOST_BYTES, Math.max(LEAST_BYTES, WINDOWS * measure.window().congestionBytes()));
        if (wanted < setBytes + setBytes / 2L || setBytes == MOST_BYTES) {
            return 0;
        }
        setBytes = (int) wanted;
        return setBytes;
    }
}
