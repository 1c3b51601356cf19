package io.hawser.ptcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Opens a TCP connection to an acceptor, directly or through a proxy. Implementations must not block: the loop of the session calls them. */
@FunctionalInterface
public interface ChannelDialler {
    ChannelDialler DIRECT = (loop, address, pipeline, timeout) ->
            bootstrap(loop, pipeline, timeout).connect(address);

    /**
     * Dials.
     *
     * @param loop the loop that the channel must be registered with
     * @param address a resolved address; or one that is not, if {@link #takesNames}
     * @param pipeline the implementation adds it to the channel's pipeline when bytes flow end to end, before it reads the first one
     * @param timeout for the whole attempt
     * @return completes on the loop when bytes flow end to end; if it fails, its channel is closed
     */
    ChannelFuture dial(EventLoop loop, InetSocketAddress address, ChannelHandler pipeline, Duration timeout);

    /** Whether it takes an unresolved address, because a proxy looks the name up. */
    default boolean takesNames(InetSocketAddress address) {
        return false;
    }

    /** The bootstrap of a direct connection. */
    static Bootstrap bootstrap(EventLoop loop, ChannelHandler pipeline, Duration timeout) {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(NettyTransports.socketChannel(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeout.toMillis()))
                .handler(pipeline);
        NettyTransports.keepAlive(bootstrap, loop);
        return bootstrap;
    }

    /** The address that a user wrote, for messages: {@code host:port}. */
    static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
