package io.hawser.ptcp;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Dials from the address that a socket was bound to. The first connection, the communication channel, uses the bound port; the others use any.
 *
 * <p>Thread: any.
 */
final class BoundDialler implements ChannelDialler {
    private final InetSocketAddress local;
    private final AtomicBoolean isPortTaken = new AtomicBoolean();

    BoundDialler(InetSocketAddress local) {
        this.local = local;
    }

    @Override
    public ChannelFuture dial(EventLoop loop, InetSocketAddress address, ChannelHandler pipeline, Duration timeout) {
        int port = isPortTaken.getAndSet(true) ? 0 : local.getPort();
        return ChannelDialler.bootstrap(loop, pipeline, timeout)
                .option(ChannelOption.SO_REUSEADDR, true)
                .connect(address, new InetSocketAddress(local.getAddress(), port));
    }
}
