package io.hawser.ptcp.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Receives the packets of one data channel. */
public interface PacketSink {
    /** No memory: the payload is to be read and dropped. */
    ByteBuf DISCARD = Unpooled.unreleasableBuffer(Unpooled.buffer(0, 0));

    /** As {@link io.hawser.ptcp.PtcpHandler#onPacketHeader}; {@link #DISCARD} has its payload dropped. */
    @Nullable
    ByteBuf memoryFor(ByteBuf header, int payloadLength);

    /** As {@link io.hawser.ptcp.PtcpHandler#onPacket}. */
    void onPacket(ByteBuf header, ByteBuf payload);

    /** The payload of a packet has come whole and was dropped. */
    void onDiscarded(int payloadLength);

    /** The peer ended this channel. */
    void onEnd();
}
