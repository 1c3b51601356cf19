package io.hawser.ptcp.stream;

/**
 * Measures how fast the peer receives, and derives the packet length: what arrives in {@value #MILLIS} ms. A long packet costs less for
 * each byte, but its reader sees nothing before its end, and bytes in a slow stream cannot use another. Measured end to end, because the
 * buffers of a relay look like a fast link. Times are any monotonic nanoseconds.
 *
 * <p>Thread: guarded by its owner's lock.
 */
public final class DeliveryRate {
    /** The least packet length. */
    public static final int LEAST_BYTES = 64 << 10;

    private static final int MILLIS = 20;
    private static final int MILLIS_PER_SECOND = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Shorter samples are inexact: after a gap everything arrives at once. */
    private static final long LEAST_SAMPLE_NANOS = 2_000_000L;

    /** Weight of a slower sample. */
    private static final double FORGET = 0.25;

    /** The factor by which one sample may raise the rate, above {@link #EASY_BYTES_PER_SECOND}. */
    private static final int FASTER = 4;

    private static final double EASY_BYTES_PER_SECOND = 32e6;

    private long markPosition;
    private long markNanos;
    private boolean isMarked;
    private double bytesPerSecond;

    /** A packet was sent when the peer had everything before {@code received}: starts a sample. */
    public void onSent(long received, long nowNanos) {
        if (!isMarked) {
            isMarked = true;
            markPosition = received;
            markNanos = nowNanos;
        }
    }

    /** The peer has everything before {@code received}; {@code isAll} says that nothing is in flight. */
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
     * The longest packet in bytes.
     *
     * @param streams the number of streams that share the rate, 1 or more
     */
    public int packetBytes(int streams) {
        double bytes = bytesPerSecond * MILLIS / MILLIS_PER_SECOND / streams;
        return (int) Math.max(LEAST_BYTES, Math.min(Integer.MAX_VALUE, bytes));
    }
}
