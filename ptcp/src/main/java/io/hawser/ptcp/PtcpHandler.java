package io.hawser.ptcp;

import io.hawser.ptcp.netty.PacketSink;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The user of a PTCP session: receives its events, gives memory for arriving packets, and supplies the packets to send. The
 * session's loop makes all calls; an implementation must not block. If it throws, its session ends with {@link
 * PtcpErrorCode#INTERNAL}.
 *
 * <p>A packet arrives in two steps, so that its payload is read straight into its place: first the header, for which the handler returns
 * memory, then the whole packet.
 */
public interface PtcpHandler {
    /** Returned by {@link #onPacketHeader} for a packet that is not wanted: its payload takes no memory, however long it is. */
    ByteBuf DISCARD = PacketSink.DISCARD;

    /** The session is up: the handshake is done and at least one data channel has joined. The first call. */
    void onOpen(PtcpSession session);

    /** A control message arrived. {@code message} is only valid during the call. */
    void onControl(PtcpSession session, ByteBuf message);

    /**
     * A packet's header arrived; its payload of {@code payloadLength} bytes (0 or more) follows on this stream.
     *
     * @param header only valid during the call
     * @return a buffer with exactly {@code payloadLength} writable bytes, which the session then owns; or null to pause this stream
     *     until {@link PtcpSession#resumePackets()}, which calls this again with the same header; or {@link #DISCARD} to have the
     *     payload dropped, without a call of {@link #onPacket}
     */
    @Nullable
    ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength);

    /**
     * The packet on this stream is complete: its payload is in the memory that {@link #onPacketHeader} returned. {@code header} and {@code
     * payload} are only valid during the call.
     */
    void onPacket(PtcpSession session, int stream, ByteBuf header, ByteBuf payload);

    /**
     * The stream can take a packet. The session calls this until it returns null, then again after {@link PtcpSession#wakeStreams()} or when
     * the socket drained. The session owns what is returned.
     */
    @Nullable
    PtcpPacket nextPacket(PtcpSession session, int stream);

    /**
     * A data channel was lost. Some packets that it took may not have arrived, and the packet that was arriving on it never will. Its number
     * is not used again in this session.
     */
    void onStreamLost(PtcpSession session, int stream);

    /** The session ended. The last call; {@code cause} says which side ended it and why. */
    void onClosed(PtcpSession session, PtcpException cause);
}
