package io.hawser.core.hop;

import io.netty.buffer.ByteBuf;
import java.util.List;

/** A packet that a sender gives to a stream. The stream takes over the payload and releases it. */
public sealed interface OutboundPacket {
    ByteBuf payload();

    record OfFragment(PacketHeader header, ByteBuf payload) implements OutboundPacket {}

    /** Several whole small transfers. */
    record OfSmall(List<SmallItem> items, ByteBuf payload) implements OutboundPacket {}
}
