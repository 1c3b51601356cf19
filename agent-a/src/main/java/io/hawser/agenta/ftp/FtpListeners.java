package io.hawser.agenta.ftp;

import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.core.config.HostPort;
import io.hawser.ptcp.BindFailures;
import io.hawser.ptcp.NettyTransports;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The sockets that an FTP server listens on.
 *
 * <p>Thread: {@link #open} and {@link #address} any but the loop; connections are accepted on the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: nothing is left to be done when a listener is closed
final class FtpListeners {
    /** Many clients may connect at once. One for which the kernel has no room believes that it is connected, and waits for a greeting that never comes. */
    private static final int BACKLOG = 4096;

    private final EventLoop loop;
    private final BiConsumer<Channel, ListenerKind> accepted;
    private final Map<ListenerKind, Channel> listening = new EnumMap<>(ListenerKind.class);

    FtpListeners(EventLoop loop, BiConsumer<Channel, ListenerKind> accepted) {
        this.loop = loop;
        this.accepted = accepted;
    }

    /** Opens a port. {@link IOException} with a sentence for the operator if that cannot be. */
    void open(ListenerKind port, InetSocketAddress address) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NettyTransports.serverSocketChannel(loop))
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accepted.accept(channel, port);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen for FTP on " + HostPort.of(address) + ": " + BindFailures.problem(bound.cause())
                            + "; choose another address with --" + port.word() + " HOST:PORT",
                    bound.cause());
        }
        listening.put(port, bound.channel());
    }

    /** Where that port is; empty if it is not open. */
    Optional<InetSocketAddress> address(ListenerKind port) {
        return Optional.ofNullable(listening.get(port)).map(channel -> (InetSocketAddress) channel.localAddress());
    }

    void close() {
        listening.values().forEach(Channel::close);
    }
}
