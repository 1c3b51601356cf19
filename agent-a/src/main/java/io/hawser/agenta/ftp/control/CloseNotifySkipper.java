package io.hawser.agenta.ftp.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Skips the last TLS record on a control connection after CCC. Some clients answer our close_notify with theirs, a last TLS record,
 * and others (curl) continue in clear at once; a command never begins with a byte that a record begins with.
 *
 * <p>Thread: the loop.
 */
final class CloseNotifySkipper extends ByteToMessageDecoder {
    private static final int FIRST_RECORD_TYPE = 0x14;
    private static final int LAST_RECORD_TYPE = 0x18;
    private static final int HEADER_BYTES = 5;
    private static final int LENGTH_AT = 3;

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        int type = in.getUnsignedByte(in.readerIndex());
        if (type < FIRST_RECORD_TYPE || type > LAST_RECORD_TYPE) {
            ctx.pipeline().remove(this); // passes on what it holds
            return;
        }
        if (in.readableBytes() < HEADER_BYTES) {
            return;
        }
        int length = HEADER_BYTES + in.getUnsignedShort(in.readerIndex() + LENGTH_AT);
        if (in.readableBytes() >= length) {
            in.skipBytes(length);
        }
    }
}
