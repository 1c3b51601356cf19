package io.hawser.ptcp.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** A frame of the communication channel or of a handshake. The package description has its bytes. */
public sealed interface ControlFrame {

    /** The dialler's first frame on the communication channel. */
    record Hello(
            int lowestVersion,
            int highestVersion,
            int streams,
            long heartbeatIntervalMillis,
            long heartbeatTimeoutMillis,
            long features,
            ByteString greeting)
            implements ControlFrame {}

    /** The acceptor's answer to {@link Hello}. */
    record Welcome(
            int version,
            int streams,
            long heartbeatIntervalMillis,
            long heartbeatTimeoutMillis,
            long features,
            long sessionId,
            ByteString joinSecret,
            ByteString greeting)
            implements ControlFrame {}

    /** The acceptor's other answer; the connection is closed after it. */
    record Refused(int code, String sentence) implements ControlFrame {}

    /** The dialler's first frame on a data channel. */
    record Join(long sessionId, int stream, ByteString random, ByteString proof) implements ControlFrame {}

    /** The acceptor's answer to {@link Join}; it proves that the acceptor knows the secret too. */
    record Joined(int stream, ByteString proof) implements ControlFrame {}

    /** The dialler's session is open: from here both sides send. */
    record Ready() implements ControlFrame {}

    /** A control message of the handler. The holder of the frame owns the buffer; a decoded one is valid during the call. */
    record Message(ByteBuf message) implements ControlFrame {}

    /** A heartbeat that asks for a PONG. */
    record Ping(long token, List<Integer> pausedStreams) implements ControlFrame {
        public Ping {
            pausedStreams = List.copyOf(pausedStreams);
        }
    }

    /** Answers {@link Ping}. */
    record Pong(long token) implements ControlFrame {}

    /** The sender lost a data channel. */
    record Lost(int stream) implements ControlFrame {}

    /** The acceptor wants this number of data channels; both sides have {@link FrameLimits#FEATURE_STREAMS}. */
    record Streams(int count) implements ControlFrame {}

    /** The sender ends the session: in order if the code is 0, at once otherwise. */
    record Close(int code, String sentence) implements ControlFrame {}

    /** Answers an orderly {@link Close} when everything that was sent before it has arrived. */
    record Closed() implements ControlFrame {}
}
