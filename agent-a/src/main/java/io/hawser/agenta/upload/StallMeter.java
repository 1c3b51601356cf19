package io.hawser.agenta.upload;

/**
 * Measures how long no bytes have arrived, from periodic readings of a byte count. Pure.
 *
 * <p>Thread: its owner's.
 */
final class StallMeter {
    private final long limitNanos;
    private long seenBytes;
    private long sinceNanos;

    /** Nothing has come yet since {@code nowNanos} but {@code bytes}. */
    StallMeter(long limitNanos, long bytes, long nowNanos) {
        this.limitNanos = limitNanos;
        this.seenBytes = bytes;
        this.sinceNanos = nowNanos;
    }

    /**
     * Looks, and says whether it has been quiet for the whole limit.
     *
     * @param heldBack whether the peer waits for this node now, which is no silence of the peer's
     */
    boolean isOver(long bytes, boolean heldBack, long nowNanos) {
        if (bytes != seenBytes || heldBack) {
            seenBytes = bytes;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos >= limitNanos;
    }
}
