package io.hawser.ops.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the decoder and lets it see bytes only when the next part of a request is wanted. A decoder left alone makes objects of all that
 * one read has brought: of 16 KiB of pipelined requests a thousand, which are a hundred times larger.
 *
 * <p>The decoder takes one part at a time ({@code setSingleDecode}) and keeps the rest; an empty buffer has it go on with that.
 *
 * <p>Thread: the server's loop.
 */
final class InputGate extends ChannelInboundHandlerAdapter {
    private final Listener listener;
    private final Queue<ByteBuf> held = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private boolean discarding;

    /** Who is told of input, and asks for it. */
    interface Listener {
        /** Bytes have come; nothing was decoded. */
        void onBytes();

        /** All that one read has brought is there. */
        void onRead();

        /** The peer sends no more. */
        void onInputEnd();
    }

    InputGate(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Has one part decoded of what the decoder has already. */
    void decodeRest() {
        decode(Unpooled.EMPTY_BUFFER);
    }

    /** Gives the decoder more bytes, and has one part decoded; false if there are none. */
    boolean decodeMore() {
        ByteBuf next = held.poll();
        if (next == null) {
            return false;
        }
        decode(next);
        return true;
    }

    private void decode(ByteBuf bytes) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        ctx.fireChannelRead(bytes);
    }

    /** From now on it throws away what comes, and reads by itself. */
    void discard() {
        discarding = true;
        release();
    }

    private void release() {
        held.forEach(ByteBuf::release);
        held.clear();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (discarding) {
            bytes.release();
        } else {
            held.add(bytes);
            listener.onBytes();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (discarding) {
            ctx.read();
        } else {
            listener.onRead();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            listener.onInputEnd(); // the decoder would decode all that it has
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        discard();
        ctx.fireChannelInactive();
    }
}
