package io.hawser.ptcp.netty;

import io.hawser.ptcp.wire.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Fills the memory that the current {@link ReadTarget} names, and reads nothing beyond it. The last handler of a channel;
 * the only place that switches {@code autoRead}.
 *
 * <p>Bytes come in two ways: read by the socket into the target itself (see {@link ExactAllocator}), or in a foreign
 * buffer (behind TLS, and on the communication channel), from which they are copied. What comes in a foreign buffer while
 * reading is put off is held back, up to {@value #HELD_BACK_LIMIT_BYTES} bytes; a channel that has more is given up.
 *
 * <p>Thread: the channel's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
public final class ExactReader extends ChannelInboundHandlerAdapter {
    /** Netty reads on after a FIN whatever autoRead says; more than this is not kept for a reader who has no memory. */
    static final int HELD_BACK_LIMIT_BYTES = 1 << 20;

    private final ChannelEvents events;
    private final boolean behindTls;
    private final Deque<ByteBuf> heldBack = new ArrayDeque<>();
    private int heldBackBytes;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ReadTarget target;
    private @Nullable ByteBuf memory;
    private @Nullable ByteBuf inPlace;
    private boolean copying;
    private boolean ended;
    private boolean ready;

    /**
     * Creates a reader. Its target must be set before the channel is ready.
     *
     * @param behindTls whether the channel is ready after a TLS handshake only
     */
    public ExactReader(ChannelEvents events, boolean behindTls) {
        this.events = events;
        this.behindTls = behindTls;
    }

    /** Changes what is read from here on. The target that was there is released. */
    public void target(ReadTarget next) {
        ReadTarget before = target;
        target = next;
        memory = null;
        if (before != null) {
            before.release();
        }
    }

    /** From here on bytes are read in larger pieces and copied: for a channel with many small frames. */
    public void copyFromLargeReads() {
        copying = true;
    }

    /** Whether the target has put reading off. */
    public boolean isPutOff() {
        return memory == null;
    }

    /** Reads on, but throws away what comes, until the peer or the owner closes the channel. */
    public void discard() {
        if (!ended) {
            end();
        }
        if (context != null) {
            context.channel().config().setAutoRead(true);
        }
    }

    /** Asks the target again, if it had put reading off. */
    public void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || ended || memory != null) {
            return;
        }
        try {
            advanceHeldBack();
            if (!ended) {
                switchAutoRead(ctx.channel());
            }
        } catch (MalformedFrameException | RuntimeException e) {
            fail(ctx, e);
        }
    }

    /** Whether what is read is thrown away. */
    boolean isDiscarding() {
        return ended;
    }

    boolean hasTarget() {
        return target != null;
    }

    boolean readsInPlace() {
        return !copying;
    }

    @Nullable
    ByteBuf memory() {
        return memory;
    }

    /** The socket's next read goes straight into the memory, and moves its writer index. */
    void readInPlace() {
        inPlace = memory;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        if (ctx.channel().isActive() && !behindTls) {
            announce(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!behindTls) {
            announce(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                announce(ctx);
            } else {
                fail(ctx, handshake.cause());
            }
        }
    }

    private void announce(ChannelHandlerContext ctx) {
        if (!ready) {
            ready = true;
            events.onReady(ctx.channel());
            resume();
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // equal bytes elsewhere are not the bytes in place
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (ended) {
                return;
            }
            if (bytes == inPlace) {
                inPlace = null;
                filledInPlace();
            } else {
                copy(bytes);
            }
            if (!ended) {
                switchAutoRead(ctx.channel());
            }
        } catch (MalformedFrameException | RuntimeException e) {
            fail(ctx, e);
        } finally {
            ReferenceCountUtil.release(bytes);
        }
    }

    private void filledInPlace() throws MalformedFrameException {
        ByteBuf filled = memory;
        if (filled == null) {
            throw new IllegalStateException("bytes arrived in memory that is gone");
        }
        advance(filled);
    }

    /** Copies what the target wants and holds back the rest if the target puts reading off. */
    private void copy(ByteBuf bytes) throws MalformedFrameException {
        while (bytes.isReadable() && !ended) {
            ByteBuf wanted = memory;
            if (wanted == null) {
                holdBack(bytes);
                return;
            }
            wanted.writeBytes(bytes, Math.min(bytes.readableBytes(), wanted.writableBytes()));
            advance(wanted);
        }
    }

    private void advance(ByteBuf filled) throws MalformedFrameException {
        ReadTarget current = current();
        if (filled.isWritable()) {
            current.onProgress(filled);
            return;
        }
        memory = null;
        current.onFull(filled);
        if (!ended) {
            memory = current().next();
        }
    }

    private void holdBack(ByteBuf bytes) throws MalformedFrameException {
        heldBackBytes += bytes.readableBytes();
        if (heldBackBytes > HELD_BACK_LIMIT_BYTES) {
            throw new MalformedFrameException("the connection ended while nobody could take its bytes");
        }
        heldBack.add(bytes.retain());
    }

    private void advanceHeldBack() throws MalformedFrameException {
        memory = current().next();
        while (memory != null && !heldBack.isEmpty() && !ended) {
            ByteBuf first = heldBack.remove();
            heldBackBytes -= first.readableBytes();
            try {
                copyFirst(first);
            } finally {
                first.release();
            }
        }
    }

    /** Like {@link #copy}, but what is left goes back to the front. */
    private void copyFirst(ByteBuf first) throws MalformedFrameException {
        while (first.isReadable() && memory != null && !ended) {
            ByteBuf wanted = memory;
            wanted.writeBytes(first, Math.min(first.readableBytes(), wanted.writableBytes()));
            advance(wanted);
        }
        if (first.isReadable() && !ended) {
            heldBackBytes += first.readableBytes();
            heldBack.addFirst(first.retain());
        }
    }

    private ReadTarget current() {
        ReadTarget current = target;
        if (current == null) {
            throw new IllegalStateException("a channel is read before it has a target");
        }
        return current;
    }

    private void switchAutoRead(Channel channel) {
        boolean on = memory != null;
        if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    private void fail(ChannelHandlerContext ctx, Throwable cause) {
        if (!ended) {
            end();
            ctx.channel().config().setAutoRead(true);
            events.onFailure(ctx.channel(), cause);
        }
    }

    private void end() {
        ended = true;
        memory = null;
        ReadTarget last = target;
        target = null;
        if (last != null) {
            last.release();
        }
        heldBack.forEach(ReferenceCountUtil::release);
        heldBack.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause != ExactAllocator.PUT_OFF) {
            fail(ctx, cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!ended) {
            end();
        }
        events.onInactive(ctx.channel());
    }

    /** Also a channel that never became active has memory. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (!ended) {
            end();
        }
    }
}
