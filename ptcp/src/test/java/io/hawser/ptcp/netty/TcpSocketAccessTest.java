package io.hawser.ptcp.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.ptcp.tune.StreamAckProgress;
import io.hawser.ptcp.tune.StreamMeasure;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TcpSocketAccessTest {
    /** From {@code asm-generic/socket.h}. */
    private static final ChannelOption<Integer> PACING = new IntegerUnixChannelOption("SO_MAX_PACING_RATE", 1, 47);

    private static final int NO_LIMIT = -1;

    @Test
    void anEpollSocketTellsAndTakes() throws Exception {
        assumeTrue(Epoll.isAvailable());
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = connect(new Bootstrap().channel(EpollSocketChannel.class), group, server);
            StreamMeasure measure = TcpSocketAccess.measure(channel);
            assertThat(measure).isNotNull();
            assertThat(measure.roundTrip().nanos()).isPositive();
            assertThat(measure.roundTrip().minNanos()).isBetween(1L, 10_000_000_000L);
            assertThat(measure.window().congestionBytes()).isBetween(1000L, 10_000_000L);
            StreamAckProgress progress = TcpSocketAccess.progress(channel);
            assertThat(progress).isNotNull();
            assertThat(progress.waits()).isFalse();
            assertThat(progress.ackedBytes()).isNotNegative();
            assertThat(progress.rttNanos()).isEqualTo(measure.roundTrip().nanos());
            // Every Linux has reno, and allows it.
            assertThat(TcpSocketAccess.congestion(channel, "reno")).isTrue();
            assertThat(TcpSocketAccess.congestion(channel)).isEqualTo("reno");
            assertThat(TcpSocketAccess.congestion(channel, "nosuch")).isFalse();
            assertThat(TcpSocketAccess.congestion(channel, "x".repeat(40))).isFalse();
            TcpSocketAccess.unsentLimit(channel, 20_000);
            TcpSocketAccess.pacingLimit(channel, 1_000_000);
            assertThat(channel.config().getOption(PACING)).isEqualTo(1_000_000);
            TcpSocketAccess.pacingLimit(channel, 3_000_000_000L);
            assertThat(channel.config().getOption(PACING)).isEqualTo(NO_LIMIT);
            TcpSocketAccess.pacingLimit(channel, 2_000_000);
            TcpSocketAccess.pacingLimit(channel, 0);
            assertThat(channel.config().getOption(PACING)).isEqualTo(NO_LIMIT);
            TcpSocketAccess.sendBuffer(channel, 100_000);
            assertThat(channel.config().getOption(ChannelOption.SO_SNDBUF)).isGreaterThanOrEqualTo(100_000);
            channel.close().sync();
            assertThat(TcpSocketAccess.measure(channel)).isNull();
            TcpSocketAccess.pacingLimit(channel, 0);
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    @Test
    void anNioSocketTellsNothingAndNothingFails() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Channel channel = connect(new Bootstrap().channel(NioSocketChannel.class), group, server);
            assertThat(TcpSocketAccess.measure(channel)).isNull();
            assertThat(TcpSocketAccess.congestion(channel)).isEmpty();
            assertThat(TcpSocketAccess.congestion(channel, "reno")).isFalse();
            TcpSocketAccess.unsentLimit(channel, 20_000);
            channel.close().sync();
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private static Channel connect(Bootstrap bootstrap, EventLoopGroup group, ServerSocket server)
            throws InterruptedException {
        return bootstrap
                .group(group)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .sync()
                .channel();
    }
}
