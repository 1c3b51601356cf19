package io.hawser.ptcp.wire;

/** The lengths that version 1 allows; a peer that sends more is refused. */
public final class FrameLimits {
    /** Longest payload of a control frame. */
    public static final int CONTROL_PAYLOAD_BYTES = 1 << 20;

    /** Longest payload of a control frame before the handshake is complete. */
    public static final int HANDSHAKE_PAYLOAD_BYTES = 4 << 10;

    /** Longest greeting. */
    public static final int GREETING_BYTES = 1 << 10;

    /** Longest sentence of a REFUSED or CLOSE, in UTF-8. */
    public static final int SENTENCE_BYTES = 1 << 10;

    /** Longest header of a packet. */
    public static final int PACKET_HEADER_BYTES = 64 << 10;

    /** Longest payload of a packet. */
    public static final int PACKET_PAYLOAD_BYTES = 64 << 20;

    /** Most streams of a session. */
    public static final int STREAMS = 64;

    /** A feature: the side understands STREAMS, and answers the end of a stream in an open session by ending the other direction. */
    public static final long FEATURE_STREAMS = 1;

    private FrameLimits() {}
}
