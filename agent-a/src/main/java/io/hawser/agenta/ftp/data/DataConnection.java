package io.hawser.agenta.ftp.data;

import io.hawser.agenta.ftp.control.RenegotiationGuard;
import io.hawser.agenta.ftp.control.TlsFailure;
import io.hawser.agenta.upload.ByteSink;
import io.hawser.gsi.token.GsiExchange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One data connection. It does nothing until {@link #receive} or {@link #output} is called; what a client sends before that
 * waits in the socket.
 *
 * <p>A FIN and a reset differ: only an orderly FIN after which nothing is left to read is an end. Within TLS that is not
 * enough: only the peer's close_notify is an end, and a FIN without it is a cut (RFC 8446 section 6.1). Grid programs never say
 * close_notify, so within their TLS a FIN is an end again.
 *
 * <p>Clear bytes are read straight into the sink's memory. What came through TLS is copied there, and so are a few clear bytes that are
 * read while the sink has no memory; at most one read's worth waits here, and nothing is read meanwhile.
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
public final class DataConnection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(DataConnection.class);

    /** Of Linux's tcp_states.h. */
    private static final int ESTABLISHED = 1;

    private final Channel channel;
    private final boolean dialled;
    /** What came and is not in the sink's memory yet: through TLS, or while there was none. */
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();

    private final SinkAllocator allocator = new SinkAllocator(waiting::isEmpty);
    private @Nullable ByteSink sink;
    private boolean waitingForSpace;
    /**
     * Whether the channel must be registered anew before it can read. Netty 4.2.18's epoll registration stays dead once it has
     * had no interest at all: {@code EpollIoHandler} removes the descriptor and then modifies what it removed (ENOENT, and the
     * channel is closed). It has none after a FIN that came while no read was wanted.
     */
    private boolean registrationLost;

    private boolean over;
    private boolean secured;
    /** Whether TLS must say its end. */
    private boolean endMustBeStated = true;
    /** A FIN that needs no statement is after what waits. */
    private boolean finished;

    private boolean endStated;
    private boolean cut;

    private DataConnection(Channel channel, boolean dialled) {
        this.channel = channel;
        this.dialled = dialled;
    }

    /** Takes over a channel that has just been accepted and reads nothing by itself. */
    static DataConnection on(Channel channel) {
        return on(channel, false);
    }

    /** Takes over a channel that this end opens. */
    static DataConnection dialled(Channel channel) {
        return on(channel, true);
    }

    private static DataConnection on(Channel channel, boolean dialled) {
        DataConnection data = new DataConnection(channel, dialled);
        channel.config().setRecvByteBufAllocator(data.allocator);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().addLast(data);
        return data;
    }

    /** Sets both socket buffers, in bytes. */
    public void socketBuffers(int bytes) {
        channel.config().setOption(ChannelOption.SO_RCVBUF, bytes);
        channel.config().setOption(ChannelOption.SO_SNDBUF, bytes);
    }

    /**
     * Puts TLS below everything that follows, as the TLS server. Before {@link #receive} or {@link #output}, which need not wait for
     * the handshake.
     *
     * @param agreed gets the session after the handshake
     */
    public void secure(SslContext context, Consumer<SSLSession> agreed) {
        SslHandler tls = context.newHandler(channel.alloc());
        tls.handshakeFuture().addListener(shaken -> {
            if (shaken.isSuccess()) {
                agreed.accept(tls.engine().getSession());
            }
        });
        secure(tls);
    }

    /**
     * The same for a client that must resume a session of {@code context}: the handshake of any other fails, and nothing is received
     * or sent before its end. One of the two is called, later; after a failure the connection is closed.
     */
    public void secureResumed(SslContext context, Duration timeout, Runnable ready, Consumer<Throwable> failed) {
        SslHandler tls = context.newHandler(channel.alloc());
        tls.engine().setEnableSessionCreation(false);
        whenShaken(tls, timeout, ready, cause -> failed.accept(whyNotResumed(cause)));
        secure(tls);
    }

    private void whenShaken(SslHandler tls, Duration timeout, Runnable ready, Consumer<Throwable> failed) {
        tls.setHandshakeTimeoutMillis(timeout.toMillis());
        tls.handshakeFuture().addListener(shaken -> {
            if (shaken.isSuccess()) {
                ready.run();
            } else {
                close();
                failed.accept(shaken.cause());
            }
        });
    }

    private static Throwable whyNotResumed(Throwable cause) {
        if (cause instanceof SslHandshakeTimeoutException) {
            return cause;
        }
        return TlsFailure.reason(cause)
                .<Throwable>map(why -> new SessionNotResumedException(why, cause))
                .orElse(cause);
    }

    private void secure(SslHandler tls) {
        assert loop().inEventLoop();
        secured = true;
        allocator.throughTls();
        RenegotiationGuard.addFirst(channel.pipeline(), tls, what -> true);
        channel.pipeline().addFirst(new TicketSuppressor(tls.engine()));
        channel.read(); // the handshake; TLS reads on by itself until it is done
    }

    /**
     * Puts GSI's TLS below everything that follows. Before {@link #receive} or {@link #output}. One of the two is called, later; after a
     * failure the connection is closed.
     */
    public void secure(SSLEngine engine, Duration timeout, Runnable ready, Consumer<Throwable> failed) {
        assert loop().inEventLoop();
        secured = true;
        endMustBeStated = false;
        allocator.throughTls();
        SslHandler tls = new SslHandler(engine);
        whenShaken(tls, timeout, ready, failed);
        channel.pipeline().addFirst(tls);
        channel.read();
    }

    /**
     * Authenticates both ends by tokens, after which the connection is clear. Before {@link #receive} or {@link #output}. One of the two is
     * called, later; after a failure the connection is closed.
     *
     * @param steps where the exchange's steps run
     */
    public void authenticate(
            GsiExchange exchange, Executor steps, Duration timeout, Runnable ready, Consumer<Throwable> failed) {
        assert loop().inEventLoop();
        new TokenHandshake(this, exchange, steps, timeout, cause -> {
                    if (cause == null) {
                        ready.run();
                    } else {
                        failed.accept(cause);
                    }
                })
                .begin();
    }

    /** Whether this end opened the connection. */
    public boolean wasDialled() {
        return dialled;
    }

    /** Sends a copy of {@code bytes}, before {@link #output}. */
    void send(byte[] bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes));
    }

    /** Whether the peer has said itself, within TLS, that what it sent is complete. */
    public boolean endWasStated() {
        return endStated;
    }

    /** Reads into {@code newSink} until the end. */
    public void receive(ByteSink newSink) {
        assert loop().inEventLoop();
        if (over) {
            loop().execute(() ->
                    newSink.broken(new IOException("the data connection broke before the transfer began")));
            return;
        }
        sink = newSink;
        allocator.sink(newSink);
        readOn();
    }

    /**
     * Reads no more for the sink that it had; what the peer sends waits in the socket for the next one. The sink hears no more,
     * and must not ask the connection to continue.
     */
    public void rest() {
        assert loop().inEventLoop();
        sink = null;
        allocator.sink(null);
        waitingForSpace = false;
    }

    /** Whether it can still be used, as far as is known without reading. */
    public boolean isOpen() {
        return !over && channel.isOpen();
    }

    /** Whether the peer will send no more over it, as far as the kernel tells. It is a system call, and for a connection at rest. */
    public boolean isClosedByPeer() {
        assert loop().inEventLoop();
        return !isOpen()
                || (channel instanceof EpollSocketChannel epoll
                        && epoll.tcpInfo().state() != ESTABLISHED);
    }

    /** From here on {@code flow} sends on it. */
    public DataOutput output(DataOutput.Flow flow) {
        assert loop().inEventLoop();
        DataOutput output = new DataOutput(channel, flow);
        if (over) {
            loop().execute(() -> flow.broken(new IOException("the data connection broke before the transfer began")));
            return output;
        }
        over = true;
        allocator.sink(new DiscardSink());
        channel.pipeline().replace(this, null, output);
        channel.config().setAutoRead(true); // a reset shall be noticed, and what a client sends not be in the way
        return output;
    }

    /**
     * What still comes is of no use, and the client has been told so on its control connection: it is read and dropped for a while,
     * and then the connection is closed. A reset at once would be all that clients tell their users (curl, lftp).
     */
    public void drain(long nanos) {
        assert loop().inEventLoop();
        if (over) {
            close();
            return;
        }
        rest();
        receive(new DiscardSink());
        ScheduledFuture<?> end = loop().schedule(this::close, nanos, TimeUnit.NANOSECONDS);
        channel.closeFuture().addListener(closed -> end.cancel(false));
    }

    /** Closes the connection; the sink hears no more. */
    public void close() {
        assert loop().inEventLoop();
        over = true;
        detach();
        channel.close();
    }

    /** The one place that asks for reads. */
    private void readOn() {
        ByteSink target = sink;
        if (over || target == null || waitingForSpace) {
            return;
        }
        if (secured || finished || !waiting.isEmpty()) {
            passOn(target);
            if (over || sink != target) {
                return; // that was the end of its transfer, and the next one asks for itself
            }
        }
        boolean bytesFirst = waiting.isEmpty() && target.takesBytesFirst();
        if (!bytesFirst && !target.hasSpace()) {
            waitingForSpace = true;
            target.whenSpace(() -> {
                waitingForSpace = false;
                readOn();
            });
            return;
        }
        if (registrationLost) {
            registrationLost = false;
            registerAgain();
        } else {
            channel.read();
        }
    }

    private void registerAgain() {
        EventLoop loop = loop();
        channel.deregister().addListener(gone -> loop.register(channel).addListener((ChannelFutureListener) back -> {
            if (back.isSuccess()) {
                readOn();
            } else {
                over(back.cause());
            }
        }));
    }

    /** Copies what waits as far as there is space, and tells the end when all of it went. */
    private void passOn(ByteSink target) {
        while (!waiting.isEmpty() && target.hasSpace()) {
            ByteBuf from = waiting.element();
            ByteBuf to = target.space();
            if (to == null) {
                return;
            }
            int length = Math.min(from.readableBytes(), to.writableBytes());
            to.writeBytes(from, length);
            to.release();
            if (!from.isReadable()) {
                waiting.remove().release();
            }
            target.received(length);
            if (over || sink != target) {
                return; // the sink has been refused its bytes, or has all of them
            }
        }
        if (waiting.isEmpty() && (endStated || finished)) {
            inputEnded();
        } else if (waiting.isEmpty() && cut) {
            over(new IOException("the TLS connection was cut off: its end is missing"));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if ((secured || allocator.readBesideSink()) && !over && bytes.isReadable()) {
            waiting.add(bytes);
            return; // channelReadComplete passes it on
        }
        int length = bytes.readableBytes();
        bytes.release();
        if (!secured && !over && sink != null) {
            sink.received(length);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        readOn();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent closed && closed.isSuccess() && !cut) {
            endStated = true;
            loop().execute(this::readOn); // after what came with it
        } else if (event instanceof ChannelInputShutdownEvent) {
            if (secured) {
                cut = endMustBeStated && !endStated;
                finished = !endMustBeStated;
                loop().execute(this::readOn);
            } else if (!waiting.isEmpty()) {
                finished = true;
                loop().execute(this::readOn);
            } else {
                inputEnded();
            }
        }
    }

    private void inputEnded() {
        ByteSink target = sink;
        if (over || target == null) {
            return;
        }
        over = true;
        detach();
        channel.close();
        try {
            target.ended();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("the end of a data connection could not be handled");
            target.broken(e);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        over(new IOException("the data connection was closed"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof SinkAllocator.NoSpaceException) {
            registrationLost = true;
        } else {
            Optional<String> tlsFailure = TlsFailure.reason(cause);
            if (tlsFailure.isEmpty() && !(cause instanceof IOException)) {
                LOG.atError().setCause(cause).log("data connection failed");
            }
            over(tlsFailure.<Throwable>map(IOException::new).orElse(cause));
        }
    }

    private void over(Throwable cause) {
        if (over || endStated || finished) {
            return; // all that was sent is here
        }
        over = true;
        ByteSink target = sink;
        detach();
        channel.close();
        if (target != null) {
            target.broken(cause);
        }
    }

    private void detach() {
        sink = null;
        allocator.sink(null);
        waiting.forEach(ByteBuf::release);
        waiting.clear();
    }

    EventLoop loop() {
        return channel.eventLoop();
    }
}
