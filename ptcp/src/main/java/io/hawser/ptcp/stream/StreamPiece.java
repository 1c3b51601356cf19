package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;

/**
 * Bytes of the stream that travel as one packet. They never change, and their bounds stay when they are sent again.
 *
 * @param position of the first byte
 * @param bytes owned by whoever holds the piece
 */
public record StreamPiece(long position, ByteBuf bytes) {
    /** Position behind the last byte. */
    public long end() {
        return position + bytes.readableBytes();
    }
}
