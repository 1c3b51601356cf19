package io.hawser.agenta.ftp.data;

import io.hawser.ptcp.NettyTransports;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The address that a PORT or EPRT named. It is connected to when a transfer asks for it, not before (RFC 959 section 3.2).
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed close shows as channelInactive
public final class ActivePort implements PendingDataConnection {
    private final EventLoop loop;
    private final InetAddress local;
    private final InetSocketAddress remote;
    private @Nullable ChannelFuture connecting;
    private boolean closed;

    /**
     * @param local the address that the client reached, from which the connection comes; its port is any
     * @param remote where to connect; the caller has checked that it may be connected to
     */
    public ActivePort(EventLoop loop, InetAddress local, InetSocketAddress remote) {
        this.loop = loop;
        this.local = local;
        this.remote = remote;
    }

    @Override
    public void take(Duration timeout, Consumer<DataConnection> onConnected, Consumer<Throwable> onFailed) {
        assert loop.inEventLoop();
        if (closed) {
            loop.execute(() -> onFailed.accept(new IOException("closed")));
            return;
        }
        Opening opening = new Opening();
        connecting = new Bootstrap()
                .group(loop)
                .channel(NettyTransports.socketChannel(loop))
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeout.toMillis()))
                .handler(opening)
                .connect(remote, new InetSocketAddress(fits() ? local : anyAddress(), 0));
        connecting.addListener((ChannelFutureListener) connected -> {
            DataConnection data = opening.data;
            if (connected.isSuccess() && data != null && !closed) {
                onConnected.accept(data);
            } else {
                connected.channel().close();
                onFailed.accept(connected.isSuccess() ? new IOException("closed") : connected.cause());
            }
        });
    }

    /** A third party may be reached over the other protocol, or from another interface than loopback. */
    private boolean fits() {
        return local.getClass().equals(remote.getAddress().getClass())
                && local.isLoopbackAddress() == remote.getAddress().isLoopbackAddress();
    }

    private static InetAddress anyAddress() {
        return new InetSocketAddress(0).getAddress();
    }

    private static final class Opening extends ChannelInitializer<Channel> {
        private @Nullable DataConnection data;

        @Override
        protected void initChannel(Channel channel) {
            data = DataConnection.dialled(channel);
        }
    }

    @Override
    public void close() {
        assert loop.inEventLoop();
        closed = true;
        if (connecting != null && !connecting.isDone()) {
            connecting.channel().close();
        }
    }
}
