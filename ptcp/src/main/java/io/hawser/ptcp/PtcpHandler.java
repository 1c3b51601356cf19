package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives a session's events. All calls come on the session's loop; none may block.
 *
 * <p>A packet arrives in two steps, so that its payload is read straight into its place: first its header, for which the
 * handler names the memory, then the whole.
 */
public interface PtcpHandler {
    /** The session is up: the handshake is done and at least one data channel has joined. The first call. */
    void onOpen(PtcpSession session);

    /** A control message arrived. {@code message} is only valid during the call. */
    void onControl(PtcpSession session, ByteBuf message);

    /**
     * A packet's header arrived; its payload of {@code payloadLength} bytes (0 or more) follows on this stream.
     *
     * @param header only valid during the call
     * @return memory for exactly the payload: a buffer with {@code payloadLength} writable bytes, whose ownership goes to
     *     the session; or null to put the packet off, whereupon this stream is not read until
     *     {@link PtcpSession#resumePackets()} and then asks again with the same header
     */
    @Nullable
    ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength);

    /**
     * The packet that was announced on this stream is complete: its payload is in the memory that
     * {@link #onPacketHeader} gave. {@code header} and {@code payload} are only valid during the call.
     */
    void onPacket(PtcpSession session, int stream, ByteBuf header, ByteBuf payload);

    /**
     * The stream can take a packet. The session calls this until it returns null, then again after
     * {@link PtcpSession#wakeStreams()} or when the socket has drained. Ownership of what is returned goes to the session.
     */
    @Nullable
    PtcpPacket nextPacket(PtcpSession session, int stream);

    /**
     * A data channel died. Of the packets that it was given, some may not have arrived, and the one that was being received
     * on it never will. The number is not used again in this session.
     */
    void onStreamLost(PtcpSession session, int stream);

    /** The session is over; nothing is called after this. {@code cause} tells who ended it and why. */
    void onClosed(PtcpSession session, PtcpException cause);
}
