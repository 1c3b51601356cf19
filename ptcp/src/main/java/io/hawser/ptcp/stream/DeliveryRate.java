package io.hawser.ptcp.stream;

/**
 * How fast the other end receives, and so how long a packet may be: what arrives in {@value #MILLIS} ms. A long packet costs less
 * for each byte; but its reader sees nothing of it before its end, and what waits in a slow stream cannot go on another. Measured from
 * end to end, so that relays on the way, whose buffers look like a fast link, deceive nobody. Times are any monotonic nanoseconds.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class DeliveryRate {
    /** The shortest that a packet is cut for this reason. */
    public static final int LEAST_BYTES = 64 << 10;

    private static final int MILLIS = 20;
    private static final int MILLIS_PER_SECOND = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Shorter ones say little: what arrives after a gap comes all at once. */
    private static final long LEAST_SAMPLE_NANOS = 2_000_000L;

    /** How much of the rate a slower sample takes away. */
    private static final double FORGET = 0.25;

    /** How much faster than before a single sample may make it, and up to where any may. */
    private static final int FASTER = 4;

    private static final double EASY_BYTES_PER_SECOND = 32e6;

    private long markPosition;
    private long markNanos;
    private boolean isMarked;
    private double bytesPerSecond;

    /** Something was sent when everything before {@code received} was received: from here on time counts. */
    public void onSent(long received, long nowNanos) {
        if (!isMarked) {
            isMarked = true;
            markPosition = received;
            markNanos = nowNanos;
        }
    }

    /** The other end has everything before {@code received}; {@code isAll} says that nothing more is under way. */
    public void onReceived(long received, boolean isAll, long nowNanos) {
        long bytes = received - markPosition;
        long nanos = nowNanos - markNanos;
        if (isMarked && bytes >= LEAST_BYTES && nanos >= LEAST_SAMPLE_NANOS) {
            take(bytes * NANOS_PER_SECOND / nanos);
            markPosition = received;
            markNanos = nowNanos;
        }
        isMarked &= !isAll;
    }

    private void take(double sample) {
        double most = Math.max(FASTER * bytesPerSecond, EASY_BYTES_PER_SECOND);
        bytesPerSecond =
                sample > bytesPerSecond ? Math.min(sample, most) : bytesPerSecond + FORGET * (sample - bytesPerSecond);
    }

    /**
     * The longest that a packet should be.
     *
     * @param streams on how many streams the bytes travel, 1 or more
     */
    public int packetBytes(int streams) {
        double bytes = bytesPerSecond * MILLIS / MILLIS_PER_SECOND / streams;
        return (int) Math.max(LEAST_BYTES, Math.min(Integer.MAX_VALUE, bytes));
    }
}
