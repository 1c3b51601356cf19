package io.hawser.agenta.ftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A data connection that the server sends on. What is written is copied, so that a client which reads nothing holds no fragment's
 * memory; the flow writes only while {@link #isWritable}. What a client sends is read and thrown away.
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
public final class DataOutput extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(DataOutput.class);
    /** How long the client has to close its end after the last byte. */
    private static final int LINGER_SECONDS = 10;

    private final Channel channel;
    private final Flow flow;
    private boolean over;

    DataOutput(Channel channel, Flow flow) {
        this.channel = channel;
        this.flow = flow;
    }

    /** What feeds the connection. */
    public interface Flow {
        /** It can take bytes again. */
        void writable();

        /** Bytes that were written have been handed to the system. */
        void progressed();

        /** It broke; nothing follows. */
        void broken(Throwable cause);
    }

    /** Whether bytes may be written now. */
    public boolean isWritable() {
        return !over && channel.isWritable();
    }

    /** Sends a copy of {@code bytes}. */
    public void write(ByteBuffer bytes) {
        write(channel.alloc().directBuffer(bytes.remaining()).writeBytes(bytes));
    }

    /** Sends {@code bytes}, whose reference it takes. */
    public void write(ByteBuf bytes) {
        assert channel.eventLoop().inEventLoop();
        if (over) {
            bytes.release();
            return;
        }
        channel.writeAndFlush(bytes).addListener(written -> {
            if (!over && written.isSuccess()) {
                flow.progressed();
            } else if (written.cause() != null) {
                broken(written.cause());
            }
        });
    }

    /** {@code done} gets null when all bytes so far have been handed to the system, or the cause of a failure. */
    public void flush(Consumer<@Nullable Throwable> done) {
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(flushed -> done.accept(flushed.cause()));
    }

    /**
     * Ends the stream. {@code done} gets null when all bytes have been handed to the system, or the cause of a failure. The
     * connection is closed when the client has closed its end: closed before, with something unread, it would be reset, and
     * the client would lose what it has not read.
     */
    public void finish(Consumer<@Nullable Throwable> done) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null && !tls.handshakeFuture().isDone()) {
            // Nothing was to be sent: a close_notify in the middle of the handshake would look like its failure.
            tls.handshakeFuture().addListener(shaken -> finish(done));
            return;
        }
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(flushed -> {
            if (over) {
                return;
            }
            over = true;
            if (flushed.isSuccess()) {
                endStream();
            } else {
                channel.close();
            }
            done.accept(flushed.cause());
        });
    }

    private void endStream() {
        if (channel instanceof SocketChannel socket && channel.pipeline().first() == this) {
            socket.shutdownOutput().addListener(shut -> {
                if (!shut.isSuccess() || socket.isInputShutdown()) {
                    channel.close();
                }
            });
            channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
        } else {
            channel.close(); // a TLS handler is in front: it says close_notify first
        }
    }

    /** Breaks the connection so that the client sees it: a reset, since an orderly end would look like the file's. */
    public void reset() {
        if (!over) {
            over = true;
            try {
                channel.config().setOption(ChannelOption.SO_LINGER, 0);
            } catch (RuntimeException e) {
                LOG.atDebug().setCause(e).log("closed already");
            }
            channel.close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (isWritable()) {
            flow.writable();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ((ByteBuf) message).release();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (over && channel instanceof SocketChannel socket && socket.isInputShutdown()) {
            channel.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        broken(new IOException("the data connection was closed"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof SinkAllocator.NoSpaceException) {
            return; // from before there was anything to read for: the client's FIN came before the transfer began
        }
        if (!(cause instanceof IOException)) {
            LOG.atError().setCause(cause).log("data connection failed");
        }
        broken(cause);
    }

    private void broken(Throwable cause) {
        channel.close();
        if (!over) {
            over = true;
            flow.broken(cause);
        }
    }
}
