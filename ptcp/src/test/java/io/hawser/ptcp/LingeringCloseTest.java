package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.stream.StreamMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a byte stream tells its session when it is closed, and in which order. */
class LingeringCloseTest {
    private static final StreamMessage LIMIT = new StreamMessage.Received(0, 1 << 20);

    private final Session session = new Session();
    private final ByteStream stream = new ByteStream(new SocketSettings(false));

    /** A session that notes what it is told; its loop runs when the test says so. */
    private static final class Session implements PtcpSession {
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final List<String> told = new ArrayList<>();

        void run() {
            channel.runPendingTasks();
        }

        @Override
        public void pauseControl(boolean on) {
            throw new UnsupportedOperationException();
        }

        @Override
        public EventLoop loop() {
            return channel.eventLoop();
        }

        @Override
        public void sendControl(ByteBuf message) {
            told.add(String.valueOf(StreamMessage.decode(message)));
            message.release();
        }

        @Override
        public void close(String reason) {
            told.add("close");
        }

        @Override
        public void dropStream(int stream) {}

        @Override
        public void probe(Runnable then) {
            throw new AssertionError("a lingering asks for nothing");
        }

        @Override
        public long id() {
            return 1;
        }

        @Override
        public boolean isDialler() {
            return true;
        }

        @Override
        public byte[] peerGreeting() {
            return new byte[0];
        }

        @Override
        public SocketAddress remoteAddress() {
            return new InetSocketAddress(1);
        }

        @Override
        public String peerPrincipal() {
            return "";
        }

        @Override
        public long pendingControlBytes() {
            return 0;
        }

        @Override
        public void wakeStreams() {}

        @Override
        public void limitRate(long bytesPerSecond) {}

        @Override
        public void resumePackets() {}

        @Override
        public int liveStreams() {
            return 1;
        }

        @Override
        public PtcpTraffic traffic() {
            return new PtcpTraffic(0, 0, 0);
        }
    }

    private void open() {
        stream.onOpen(session);
        session.run();
        session.told.clear();
    }

    private void hear(StreamMessage message) {
        ByteBuf encoded = StreamMessage.encode(message);
        stream.onControl(session, encoded);
        encoded.release();
    }

    @Test
    void sessionIsNotClosedBeforeTheOtherEndWasToldOfTheEnd() {
        open();
        stream.close();
        hear(LIMIT);
        session.run();
        assertThat(session.told).startsWith("End[position=0]", "Stop[]", "close");
    }

    @Test
    void sessionIsClosedWhenTheOtherEndHasEverything() throws Exception {
        open();
        hear(LIMIT);
        stream.writer().write(new byte[100], 0, 100);
        stream.close();
        session.run();
        assertThat(session.told).containsExactly("End[position=100]", "Stop[]");
        hear(new StreamMessage.Received(99, 1 << 20));
        assertThat(session.told).doesNotContain("close");
        hear(new StreamMessage.Received(100, 1 << 20));
        assertThat(session.told).endsWith("close");
        stream.onClosed(session, new PtcpException(PtcpErrorCode.CLOSED, "over"));
    }

    @Test
    void sessionIsClosedWhenTheOtherEndWantsNothing() throws Exception {
        open();
        stream.writer().write(new byte[100], 0, 100);
        hear(new StreamMessage.Stop());
        stream.close();
        session.run();
        assertThat(session.told).endsWith("close");
        stream.onClosed(session, new PtcpException(PtcpErrorCode.CLOSED, "over"));
    }

    @Test
    void resetTellsNoEnd() throws Exception {
        open();
        stream.settings().set(StandardSocketOptions.SO_LINGER, 0);
        stream.close();
        session.run();
        assertThat(session.told).containsExactly("close");
    }
}
