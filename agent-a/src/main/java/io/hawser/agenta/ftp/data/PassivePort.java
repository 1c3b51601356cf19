package io.hawser.agenta.ftp.data;

import io.hawser.core.ftp.PortRange;
import io.hawser.ptcp.Transports;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port that a PASV or EPSV announced. It takes one connection, and only from an address that the rules allow, usually the peer of the
 * control connection (RFC 2577 section 3); others are closed at once. A port that is not used in time closes.
 *
 * <p>Thread: the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
public final class PassivePort implements DataOpening {
    private static final Logger LOG = LoggerFactory.getLogger(PassivePort.class);

    private final EventLoop loop;
    private final Channel listener;
    private final Predicate<InetAddress> allowed;
    private ScheduledFuture<?> timeout;
    private @Nullable DataChannel connected;
    private @Nullable Consumer<DataChannel> taker;
    private @Nullable Consumer<Throwable> failed;
    private boolean closed;

    private PassivePort(EventLoop loop, Channel listener, Predicate<InetAddress> allowed, Duration unused) {
        this.loop = loop;
        this.listener = listener;
        this.allowed = allowed;
        this.timeout = loop.schedule(this::close, unused.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Called when a port is open, or cannot be opened. Exactly one of the two arguments is there. */
    @FunctionalInterface
    public interface Opened {
        void done(@Nullable PassivePort port, @Nullable Throwable cause);
    }

    /**
     * Opens a port.
     *
     * @param local the address to listen on: the one that the client reached
     * @param ports the port numbers to choose from
     * @param allowed the addresses that may connect
     * @param unused how long the port stays open when no transfer asks for it
     */
    public static void open(
            EventLoop loop,
            InetAddress local,
            PortRange ports,
            Predicate<InetAddress> allowed,
            Duration unused,
            Opened opened) {
        tryOpen(loop, local, ports.attempts(), allowed, unused, opened);
    }

    private static void tryOpen(
            EventLoop loop,
            InetAddress local,
            PortRange.Attempts ports,
            Predicate<InetAddress> allowed,
            Duration unused,
            Opened opened) {
        Acceptor acceptor = new Acceptor();
        new ServerBootstrap()
                .group(loop)
                .channel(Transports.serverSocketChannel(loop))
                .option(ChannelOption.SO_BACKLOG, 4)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(acceptor)
                .bind(new InetSocketAddress(local, ports.next()))
                .addListener((ChannelFutureListener) bound -> {
                    if (bound.isSuccess()) {
                        acceptor.port = new PassivePort(loop, bound.channel(), allowed, unused);
                        opened.done(acceptor.port, null);
                    } else if (ports.hasNext()) {
                        tryOpen(loop, local, ports, allowed, unused, opened);
                    } else {
                        opened.done(null, bound.cause());
                    }
                });
    }

    /** Hands accepted channels to the port. */
    @ChannelHandler.Sharable
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private @Nullable PassivePort port;

        @Override
        public void channelRegistered(ChannelHandlerContext ctx) {
            if (port != null && !port.closed) {
                ctx.pipeline().remove(this);
                port.accepted(ctx.channel());
            } else {
                ctx.close();
            }
        }
    }

    private void accepted(Channel channel) {
        InetSocketAddress from = (InetSocketAddress) channel.remoteAddress();
        if (connected != null || from == null || !allowed.test(from.getAddress())) {
            LOG.atWarn()
                    .addKeyValue("peer", from)
                    .log("data connection refused: not from the control connection's peer");
            channel.close();
            return;
        }
        listener.close();
        connected = DataChannel.on(channel);
        deliver();
    }

    /** The number of the port. */
    public int number() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void take(Duration patience, Consumer<DataChannel> onConnected, Consumer<Throwable> onFailed) {
        assert loop.inEventLoop();
        taker = onConnected;
        failed = onFailed;
        timeout.cancel(false);
        timeout = loop.schedule(this::close, patience.toMillis(), TimeUnit.MILLISECONDS);
        loop.execute(this::deliver);
    }

    private void deliver() {
        Consumer<DataChannel> target = taker;
        if (target == null) {
            return;
        }
        if (connected != null) {
            DataChannel data = connected;
            settle();
            target.accept(data);
        } else if (closed) {
            Consumer<Throwable> onFailed = failed;
            settle();
            if (onFailed != null) {
                onFailed.accept(new IOException("no data connection was opened in time"));
            }
        }
    }

    private void settle() {
        closed = true;
        taker = null;
        failed = null;
        connected = null;
        timeout.cancel(false);
    }

    @Override
    public void close() {
        assert loop.inEventLoop();
        if (closed) {
            return;
        }
        closed = true;
        timeout.cancel(false);
        listener.close();
        if (connected != null) {
            connected.close();
            connected = null;
        }
        deliver();
    }
}
