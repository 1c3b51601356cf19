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
 * Fills the memory that the current {@link ReadTarget} returns, and reads nothing beyond it. The last handler of a channel, and the only code that switches {@code autoRead}.
 *
 * <p>The socket reads straight into that memory (see {@link ExactAllocator}), or into another buffer (with TLS, and on the communication channel), from which bytes are copied. Bytes of another buffer that arrive during a pause are kept, up to {@value #BUFFERED_LIMIT_BYTES} bytes; a channel with more fails.
 *
 * <p>Thread: the channel's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
public final class ExactReader extends ChannelInboundHandlerAdapter {
    /** The most bytes that are kept during a pause, because Netty continues to read after a FIN whatever autoRead says. */
    static final int BUFFERED_LIMIT_BYTES = 1 << 20;

    private final ChannelEvents events;
    private final boolean behindTls;
    private final Deque<ByteBuf> buffered = new ArrayDeque<>();
    private int bufferedBytes;
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

    /** Changes the target. Releases the former one. */
    public void target(ReadTarget next) {
        ReadTarget before = target;
        target = next;
        memory = null;
        if (before != null) {
            before.release();
        }
    }

    /** Switches to large reads that are copied, for a channel with many small frames. */
    public void copyFromLargeReads() {
        copying = true;
    }

    /** Whether the target paused reading. */
    public boolean isPaused() {
        return memory == null;
    }

    /** Reads and drops bytes until the peer or the owner closes the channel. */
    public void discard() {
        if (!ended) {
            end();
        }
        if (context != null) {
            context.channel().config().setAutoRead(true);
        }
    }

    /** Asks a target that paused reading for memory again. */
    public void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx == null || ended || memory != null) {
            return;
        }
        try {
            drainBuffered();
            if (!ended) {
                switchAutoRead(ctx.channel());
            }
        } catch (MalformedFrameException | RuntimeException e) {
            fail(ctx, e);
        }
    }

    /** Whether bytes are dropped. */
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
                if (bytes.isReadable() && !ended) {
                    buffer(bytes);
                }
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

    /** Copies what the target wants, until it pauses. */
    private void copy(ByteBuf bytes) throws MalformedFrameException {
        while (bytes.isReadable() && memory != null && !ended) {
            ByteBuf wanted = memory;
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

    private void buffer(ByteBuf bytes) throws MalformedFrameException {
        bufferedBytes += bytes.readableBytes();
        if (bufferedBytes > BUFFERED_LIMIT_BYTES) {
            throw new MalformedFrameException("the connection ended during a pause with more bytes than are kept");
        }
        buffered.add(bytes.retain());
    }

    private void drainBuffered() throws MalformedFrameException {
        memory = current().next();
        while (memory != null && !buffered.isEmpty() && !ended) {
            ByteBuf first = buffered.remove();
            bufferedBytes -= first.readableBytes();
            try {
                copy(first);
                if (first.isReadable() && !ended) {
                    bufferedBytes += first.readableBytes();
                    buffered.addFirst(first.retain());
                }
            } finally {
                first.release();
            }
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
        buffered.forEach(ReferenceCountUtil::release);
        buffered.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause != ExactAllocator.PAUSED) {
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

    /** A channel that never became active has memory, too. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (!ended) {
            end();
        }
    }
}
