package io.hawser.ops.http;

import io.hawser.ptcp.BindFailures;
import io.hawser.ptcp.NettyTransports;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Listens for HTTP/1.1 (and 1.0), with or without TLS, on a loop that it shares: for requests and responses with bodies of any size, which a
 * {@link ExchangeHandler} passes on piece by piece.
 *
 * <p>Counts a connection before reading from it; {@link OpenConnections} chooses which one to close when there are too many.
 *
 * <p>Thread: any but its loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that is closed says so by channelInactive
public final class ExchangeServer {
    private static final int BACKLOG = 4096;
    private static final int SMALLEST_READ_BYTES = 512;
    private static final int FIRST_READ_BYTES = 4 << 10;
    private static final int LARGEST_READ_BYTES = 64 << 10;

    private final Tls tls;
    private final ExchangeHandler handler;
    private final HttpLimits limits;
    private final OpenConnections connections;
    private final EventLoop loop;
    private final Set<ExchangeConnection> open = new HashSet<>();
    private final CompletableFuture<Void> lastClosed = new CompletableFuture<>();
    private final Channel listener;
    private boolean stopping;

    /**
     * TLS 1.3 of a server.
     *
     * @param context its keys, or null for plain HTTP
     * @param handshakes runs the computations of handshakes
     */
    public record Tls(@Nullable SslContext context, Executor handshakes) {}

    private ExchangeServer(
            EventLoop loop, InetSocketAddress address, Tls tls, HttpLimits limits, ExchangeHandler handler)
            throws BindException {
        this.loop = loop;
        this.tls = tls;
        this.limits = limits;
        this.handler = handler;
        connections = new OpenConnections(limits);
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NettyTransports.serverSocketChannel(loop))
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(SMALLEST_READ_BYTES, FIRST_READ_BYTES, LARGEST_READ_BYTES))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accepted(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        listener = bound.channel();
        Throwable failure = bound.cause();
        if (failure != null) {
            BindException problem = new BindException(BindFailures.problem(failure));
            problem.initCause(failure);
            throw problem;
        }
    }

    /**
     * @param loop where everything runs
     * @param address port 0 takes a free one
     * @throws BindException with the reason as a sentence
     */
    public static ExchangeServer start(
            EventLoop loop, InetSocketAddress address, Tls tls, HttpLimits limits, ExchangeHandler handler)
            throws BindException {
        return new ExchangeServer(loop, address, tls, limits, handler);
    }

    private void accepted(Channel channel) {
        ExchangeConnection connection = new ExchangeConnection(channel, handler, limits, connections);
        open.add(connection);
        channel.closeFuture().addListener(closed -> {
            open.remove(connection);
            completeIfStopped();
        });
        connections.opened(channel);
        SslContext context = tls.context();
        if (context != null) {
            SslHandler secured = context.newHandler(channel.alloc(), tls.handshakes());
            secured.engine().setEnabledProtocols(new String[] {"TLSv1.3"}); // the only one without renegotiation
            secured.setHandshakeTimeout(limits.times().request().toMillis(), TimeUnit.MILLISECONDS);
            secured.setCloseNotifyFlushTimeout(limits.times().linger().toMillis(), TimeUnit.MILLISECONDS);
            channel.pipeline().addLast(secured);
        }
        channel.pipeline()
                .addLast(connection.input())
                .addLast(decoder())
                .addLast(new HttpResponseEncoder())
                .addLast(connection);
        if (stopping) {
            channel.close();
        }
    }

    private HttpRequestDecoder decoder() {
        HttpRequestDecoder decoder =
                new HttpRequestDecoder(new HttpDecoderConfig()
                        .setMaxInitialLineLength(limits.sizes().line())
                        .setMaxHeaderSize(limits.sizes().header())
                        .setMaxChunkSize(LARGEST_READ_BYTES)) {
                    /** Two ends of one body: another server may have believed the other one (RFC 9112 section 6.3). */
                    @Override
                    protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
                        throw new IllegalArgumentException("Transfer-Encoding and Content-Length");
                    }
                };
        decoder.setSingleDecode(true);
        return decoder;
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** How many connections there are. Thread: the loop. */
    public int connectionCount() {
        return open.size();
    }

    private void completeIfStopped() {
        if (stopping && open.isEmpty()) {
            lastClosed.complete(null);
        }
    }

    /** Stops listening, and tells the exchanges that run. Follow it with {@link #awaitEnd}. */
    public void stop() {
        listener.close().awaitUninterruptibly();
        loop.execute(() -> {
            stopping = true;
            List.copyOf(open).forEach(ExchangeConnection::stop);
            completeIfStopped();
        });
    }

    /** Waits for the end of the last connection, and closes after {@code time} those that have not ended by themselves. */
    public void awaitEnd(Duration time) {
        try {
            lastClosed.get(Math.max(0, time.toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            loop.submit(connections::closeAll).awaitUninterruptibly();
        } catch (ExecutionException e) {
            throw new IllegalStateException("never completed so", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
