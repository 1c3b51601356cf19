package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;

/**
 * Bytes of the stream that travel as one packet. Bytes and bounds stay the same when it is sent again.
 *
 * @param position of the first byte
 * @param bytes owned by the holder of the piece
 */
public record StreamPiece(long position, ByteBuf bytes) {
    /** The position after the last byte. */
    public long end() {
        return position + bytes.readableBytes();
    }
}
