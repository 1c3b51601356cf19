package io.hawser.ops.http;

import io.hawser.ptcp.BindFailures;
import io.hawser.ptcp.NettyTransports;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens for HTTP/1.1 (and 1.0), with or without TLS, on a loop of its own.
 *
 * <p>Counts a connection before reading from it; {@link OpenConnections} chooses which one to close when there are too many.
 *
 * <p>Thread: any but its loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that is closed says so by channelInactive
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final int SMALLEST_READ_BYTES = 512;
    private static final int FIRST_READ_BYTES = 2 << 10;
    private static final int LARGEST_READ_BYTES = 16 << 10;
    /** The kernel's buffer of unread bytes; when a peer has closed its half, all of it is read at once. */
    private static final int RECEIVE_BUFFER_BYTES = 64 << 10;

    private static final long END_SECONDS = 2;

    private final EventLoopGroup loop;
    /** Handshakes compute and may read files. Each connection has at most one task, so the queue needs no bound. */
    private final RequestExecutor handshakes;

    private final @Nullable HttpTls tls;
    private final HttpHandler handler;
    private final HttpLimits limits;
    private final OpenConnections connections;
    private final BodyMemory memory;
    private final Channel listener;

    private HttpServer(
            String name, InetSocketAddress address, @Nullable HttpTls tls, HttpHandler handler, HttpLimits limits)
            throws BindException {
        this.tls = tls;
        this.handler = handler;
        this.limits = limits;
        loop = NettyTransports.newLoop(name + "-loop");
        handshakes = new RequestExecutor(name + "-tls", Integer.MAX_VALUE);
        connections = new OpenConnections(limits);
        memory = new BodyMemory(limits.sizes().unreadResponses());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NettyTransports.serverSocketChannel(loop))
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
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
            endThreads();
            BindException problem = new BindException(BindFailures.problem(failure));
            problem.initCause(failure);
            throw problem;
        }
    }

    /**
     * @param name prefix of its threads' names
     * @param address port 0 takes a free one
     * @param tls null for plain HTTP
     * @throws BindException with the reason as a sentence
     */
    public static HttpServer start(
            String name, InetSocketAddress address, @Nullable HttpTls tls, HttpHandler handler, HttpLimits limits)
            throws BindException {
        return new HttpServer(name, address, tls, handler, limits);
    }

    private void accepted(Channel channel) {
        HttpConnection connection = new HttpConnection(channel, handler, limits, connections, memory);
        connections.opened(channel);
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(handshakes, limits));
        }
        HttpRequestDecoder decoder = new HttpRequestDecoder(new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.sizes().line())
                .setMaxHeaderSize(limits.sizes().header()));
        decoder.setSingleDecode(true);
        channel.pipeline()
                .addLast(connection.input())
                .addLast(decoder)
                .addLast(new HttpResponseEncoder())
                .addLast(connection);
    }

    /** Where it listens, with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Stops listening and closes all connections; requests in a lane get no response. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        try {
            loop.submit(connections::closeAll).awaitUninterruptibly();
        } catch (RejectedExecutionException e) {
            return; // closed already
        }
        endThreads();
    }

    private void endThreads() {
        loop.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        handshakes.close();
    }
}
