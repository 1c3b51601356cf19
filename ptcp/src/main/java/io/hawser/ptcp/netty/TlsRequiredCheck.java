package io.hawser.ptcp.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Checks the first byte of an accepted connection before TLS, so that a peer without TLS gets a clear error instead of a closed connection.
 */
public final class TlsRequiredCheck extends ByteToMessageDecoder {
    /** First byte of a TLS record that carries a handshake (RFC 8446, section 5.1). */
    public static final int HANDSHAKE_RECORD = 0x16;

    private final SslContext context;
    private final long handshakeTimeoutMillis;

    public TlsRequiredCheck(SslContext context, long handshakeTimeoutMillis) {
        this.context = context;
        this.handshakeTimeoutMillis = handshakeTimeoutMillis;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (in.getUnsignedByte(in.readerIndex()) == HANDSHAKE_RECORD) {
            SslHandler tls = context.newHandler(ctx.alloc());
            tls.setHandshakeTimeout(handshakeTimeoutMillis, TimeUnit.MILLISECONDS);
            ctx.pipeline().addAfter(ctx.name(), "tls", tls);
        } else {
            ctx.fireExceptionCaught(new TlsRequiredException());
        }
        ctx.pipeline().remove(this);
    }
}
