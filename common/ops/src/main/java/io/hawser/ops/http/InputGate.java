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
 * Holds input back from the decoder until the next part of a request is wanted. A decoder by itself makes objects of everything that one read
 * returns: 16 KiB of pipelined requests become a thousand objects, which are a hundred times larger.
 *
 * <p>The decoder takes one part at a time ({@code setSingleDecode}) and keeps the rest; an empty buffer makes it decode that.
 *
 * <p>Thread: the server's loop.
 */
final class InputGate extends ChannelInboundHandlerAdapter {
    private final Owner owner;
    private final Queue<ByteBuf> held = new ArrayDeque<>();
    private @Nullable ChannelHandlerContext context;
    private boolean discarding;

    /** What wants the input. */
    interface Owner {
        /** Bytes have arrived; nothing was decoded. */
        void onBytes();

        /** One read has ended. */
        void onRead();

        /** The peer has closed its half. */
        void onInputEnd();
    }

    InputGate(Owner owner) {
        this.owner = owner;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Decodes one part of the bytes that the decoder has. */
    void decodeRest() {
        decode(Unpooled.EMPTY_BUFFER);
    }

    /** Gives the decoder more bytes and decodes one part; false if there are none. */
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

    /** From now on discards input, and reads by itself. */
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
            owner.onBytes();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (discarding) {
            ctx.read();
        } else {
            owner.onRead();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            owner.onInputEnd(); // not passed on: the decoder would decode everything that it has
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
