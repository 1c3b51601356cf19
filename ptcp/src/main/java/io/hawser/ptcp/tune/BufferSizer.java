package io.hawser.ptcp.tune;

/**
 * Decides about a stream's send buffer. The system's own sizing is left alone until its limit is seen to hold the stream
 * back; then the stream gets four times its congestion window, of which about half is for the system's own use, and keeps
 * what it has until that is too little again. Receive buffers are never set: that would switch their growth off.
 *
 * <p>Thread: the session's loop only.
 */
public final class BufferSizer {
    static final double LIMITED_SHARE = 0.1;
    static final int LEAST_BYTES = 1 << 20;
    static final int MOST_BYTES = 16 << 20;
    private static final int WINDOWS = 4;

    private long lastBusyNanos;
    private long lastLimitedNanos;
    private int setBytes;

    /** The send buffer to ask the system for, or 0 to leave it as it is. */
    public int onMeasure(StreamMeasure measure) {
        long busy = measure.busyNanos() - lastBusyNanos;
        long limited = measure.windowLimitedNanos() - lastLimitedNanos;
        lastBusyNanos = measure.busyNanos();
        lastLimitedNanos = measure.windowLimitedNanos();
        if (busy <= 0 || limited < busy * LIMITED_SHARE) {
            return 0;
        }
        long wanted = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, WINDOWS * measure.congestionWindowBytes()));
        if (wanted < setBytes + setBytes / 2L || setBytes == MOST_BYTES) {
            return 0;
        }
        setBytes = (int) wanted;
        return setBytes;
    }
}
