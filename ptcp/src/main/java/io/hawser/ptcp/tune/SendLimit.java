package io.hawser.ptcp.tune;

/**
 * What limits how fast a session sends, over about the last half second. Thread: any.
 *
 * @param cause the limit
 * @param bytesPerSecond what the peer's system received lately
 * @param roundTripNanos mean round trip of the streams; -1 if unknown
 * @param lossShare the part of the segments that was sent again, 0 to 1
 */
public record SendLimit(Cause cause, long bytesPerSecond, long roundTripNanos, double lossShare) {
    /** Nothing is known, such as before the first packet. */
    public static final SendLimit UNKNOWN = new SendLimit(Cause.UNKNOWN, 0, -1, 0);

    /** The limit of a session. */
    public enum Cause {
        /** Not measured: the transport reports no statistics, or nothing was sent. */
        UNKNOWN,
        /** A rate that was set here or that the peer asked for. */
        RATE,
        /** The link: its queue is full. */
        LINK,
        /** Segments are lost, and the link's queue is not full. */
        LOSS,
        /** The receiver's window, the send buffer or the congestion window is too small for the round trip. */
        WINDOW
    }
}
