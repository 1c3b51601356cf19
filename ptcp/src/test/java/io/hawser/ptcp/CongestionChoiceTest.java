package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.ptcp.netty.TcpSocketAccess;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CongestionChoiceTest {
    /** Every Linux has it, and allows it. */
    private static final PtcpTuning RENO = new PtcpTuning(false, 0, false, "reno");

    private static final InetSocketAddress HERE = new InetSocketAddress("127.0.0.1", 1);
    private static final InetSocketAddress FAR = new InetSocketAddress("192.0.2.1", 1);
    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("far.example", 1);

    @Test
    void whatAClosedOrAnNioChannelDoesNotTakeIsAskedOfTheNext() {
        assumeTrue(Epoll.isAvailable());
        Channel closed = new EpollSocketChannel();
        closed.unsafe().closeForcibly();
        CongestionChoice.apply(closed, RENO, FAR);
        Channel nio = new NioSocketChannel();
        CongestionChoice.apply(nio, RENO, FAR);
        nio.unsafe().closeForcibly();
        assertThat(chosen(RENO, FAR)).isEqualTo("reno");
    }

    @Test
    void nothingIsPacedWithinTheMachine() {
        assumeTrue(Epoll.isAvailable());
        assumeTrue(isThere("cubic"));
        assertThat(chosen(PtcpTuning.FIXED, HERE)).isEqualTo("cubic");
    }

    @Test
    void bbrIsForPeersElsewhere() {
        assumeTrue(Epoll.isAvailable());
        assumeTrue(isThere("bbr"));
        assertThat(chosen(PtcpTuning.FIXED, FAR)).isEqualTo("bbr");
        assertThat(chosen(PtcpTuning.FIXED, UNKNOWN)).isEqualTo("bbr");
    }

    @Test
    void whoeverNamesOneGetsItWhereverThePeerIs() {
        assumeTrue(Epoll.isAvailable());
        assertThat(chosen(RENO, HERE)).isEqualTo("reno");
    }

    private static boolean isThere(String name) {
        return onChannel(channel -> TcpSocketAccess.congestion(channel, name));
    }

    private static String chosen(PtcpTuning tuning, InetSocketAddress peer) {
        return onChannel(channel -> {
            CongestionChoice.apply(channel, tuning, peer);
            return TcpSocketAccess.congestion(channel);
        });
    }

    private static <T> T onChannel(Function<Channel, T> look) {
        Channel channel = new EpollSocketChannel();
        try {
            return look.apply(channel);
        } finally {
            channel.unsafe().closeForcibly();
        }
    }
}
