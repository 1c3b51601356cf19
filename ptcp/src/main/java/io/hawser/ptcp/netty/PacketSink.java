package io.hawser.ptcp.netty;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Receives the packets of one data channel. */
public interface PacketSink {
    /** As {@link io.hawser.ptcp.PtcpHandler#onPacketHeader}. */
    @Nullable
    ByteBuf memoryFor(ByteBuf header, int payloadLength);

    /** As {@link io.hawser.ptcp.PtcpHandler#onPacket}. */
    void onPacket(ByteBuf header, ByteBuf payload);

    /** The peer ended this channel. */
    void onEnd();
}
