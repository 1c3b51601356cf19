package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;

/**
 * A packet to send.
 *
 * @param header what the receiver needs to place the payload: 1 byte to 64 KiB
 * @param payload 0 bytes to 64 MiB
 */
public record PtcpPacket(ByteBuf header, ByteBuf payload) {}
