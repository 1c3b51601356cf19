package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.ptcp.netty.SocketTuning;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.Test;

class CongestionChoiceTest {
    /** Every Linux has it, and allows it. */
    private static final PtcpTuning RENO = new PtcpTuning(false, 0, false, "reno");

    @Test
    void whatAClosedOrAnNioChannelDoesNotTakeIsAskedOfTheNext() {
        assumeTrue(Epoll.isAvailable());
        Channel closed = new EpollSocketChannel();
        closed.unsafe().closeForcibly();
        CongestionChoice.apply(closed, RENO);
        Channel nio = new NioSocketChannel();
        CongestionChoice.apply(nio, RENO);
        nio.unsafe().closeForcibly();
        Channel channel = new EpollSocketChannel();
        try {
            CongestionChoice.apply(channel, RENO);
            assertThat(SocketTuning.congestion(channel)).isEqualTo("reno");
        } finally {
            channel.unsafe().closeForcibly();
        }
    }
}
