package io.hawser.agenta.ftp.data;

import io.hawser.core.ftp.PortRange;
import io.hawser.ptcp.NettyTransports;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A port that takes any number of data connections until it is closed, as MODE E needs it: no client announces how many will come,
 * nor when (GFD.20 section 3.2). Connections from elsewhere than allowed are closed at once (RFC 2577 section 3).
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed close shows as channelInactive
public final class ModeEListener {
    private static final int BACKLOG = 128;

    private final Channel listener;

    private ModeEListener(Channel listener) {
        this.listener = listener;
    }

    /**
     * @param local the address to listen on: the one that the client reached
     * @param ports the port numbers to choose from
     * @param allowed whether an address may connect
     * @param connected gets each connection
     * @param opened gets the port, or the cause of a failure
     */
    public static void open(
            EventLoop loop,
            InetAddress local,
            PortRange ports,
            Predicate<InetSocketAddress> allowed,
            Consumer<DataConnection> connected,
            BiConsumer<@Nullable ModeEListener, @Nullable Throwable> opened) {
        tryOpen(loop, local, ports.attempts(), new Acceptor(allowed, connected), opened);
    }

    private static void tryOpen(
            EventLoop loop,
            InetAddress local,
            PortRange.Attempts ports,
            Acceptor acceptor,
            BiConsumer<@Nullable ModeEListener, @Nullable Throwable> opened) {
        new ServerBootstrap()
                .group(loop)
                .channel(NettyTransports.serverSocketChannel(loop))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(acceptor)
                .bind(new InetSocketAddress(local, ports.next()))
                .addListener((ChannelFutureListener) bound -> {
                    if (bound.isSuccess()) {
                        opened.accept(new ModeEListener(bound.channel()), null);
                    } else if (ports.hasNext()) {
                        tryOpen(loop, local, ports, acceptor, opened);
                    } else {
                        opened.accept(null, bound.cause());
                    }
                });
    }

    /** Hands accepted channels on. */
    @ChannelHandler.Sharable
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Predicate<InetSocketAddress> allowed;
        private final Consumer<DataConnection> connected;

        private Acceptor(Predicate<InetSocketAddress> allowed, Consumer<DataConnection> connected) {
            this.allowed = allowed;
            this.connected = connected;
        }

        @Override
        public void channelRegistered(ChannelHandlerContext ctx) {
            InetSocketAddress from = (InetSocketAddress) ctx.channel().remoteAddress();
            if (from == null || !allowed.test(from)) {
                ctx.close();
                return;
            }
            ctx.pipeline().remove(this);
            connected.accept(DataConnection.on(ctx.channel()));
        }
    }

    public int number() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public void close() {
        listener.close();
    }
}
