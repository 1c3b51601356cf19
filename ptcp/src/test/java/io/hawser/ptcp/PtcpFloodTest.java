package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.wire.ByteString;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many connections that say nothing, or nonsense. */
class PtcpFloodTest {
    private static final int CONNECTIONS = 10_000;
    /** What an acceptor keeps of those that have not said who they are. */
    private static final int KEPT = 256;

    private static final long MIB = 1 << 20;
    private static final PtcpOptions PATIENT =
            new PtcpOptions(1, Duration.ofMillis(500), Duration.ofSeconds(30), Duration.ofSeconds(60), null);

    @Test
    void tenThousandSilentConnectionsCostBoundedMemoryAndKeepNobodyOut() throws Exception {
        try (TestNet net = new TestNet("epoll")) {
            PtcpServer server = net.listen(PATIENT);
            PtcpSession before = net.dial(server, PATIENT, new RecordingHandler());
            long heap = usedHeapBytes();
            long direct = PlatformDependent.usedDirectMemory();

            Deque<SocketChannel> flood = new ArrayDeque<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel channel = SocketChannel.open(server.localAddress());
                channel.configureBlocking(false);
                flood.add(channel);
                if (flood.size() > 2 * KEPT) {
                    flood.removeFirst().close(); // the acceptor has closed it long ago, or may do so
                }
            }
            await().until(() -> open(flood).size() <= KEPT);
            long heapMore = usedHeapBytes() - heap;
            long directMore = PlatformDependent.usedDirectMemory() - direct;
            System.out.println(
                    "FIGURE most heap bytes for " + CONNECTIONS + " silent connections = " + Math.max(0, heapMore));
            System.out.println(
                    "FIGURE most direct bytes for " + CONNECTIONS + " silent connections = " + Math.max(0, directMore));
            assertThat(heapMore).isLessThan(16 * MIB);
            assertThat(directMore).isLessThan(16 * MIB);

            net.dial(server, PATIENT, new RecordingHandler()); // while all places are taken
            assertThat(before.liveStreams()).isEqualTo(1);
            for (SocketChannel channel : flood) {
                channel.close();
            }
        }
    }

    @Test
    void aFloodFromOneAddressDoesNotEvictASlowHandshakeFromAnother() throws Exception {
        try (TestNet net = new TestNet("epoll")) {
            PtcpServer server = net.listen(PATIENT);
            Deque<SocketChannel> flood = new ArrayDeque<>();
            try (RawPeer slow = new RawPeer(server.localAddress())) {
                for (int i = 0; i < 4 * KEPT; i++) { // what comes within two round trips of a long path
                    SocketChannel channel = SocketChannel.open();
                    channel.bind(new InetSocketAddress("127.0.0.2", 0));
                    channel.connect(server.localAddress());
                    channel.configureBlocking(false);
                    flood.add(channel);
                }
                await().until(() -> open(flood).size() < KEPT);
                slow.send(hello());

                assertThat(slow.read()).isInstanceOf(ControlFrame.Welcome.class);
            }
            for (SocketChannel channel : flood) {
                channel.close();
            }
        }
    }

    private static ControlFrame.Hello hello() {
        return new ControlFrame.Hello(
                Versions.LOWEST, Versions.HIGHEST, 1, 1000, 10_000, 0, ByteString.of(TestNet.utf8("slow")));
    }

    @Test
    void aFloodOfJoinsThatProveNothingKeepsNobodyOutAndJoinsNothing() throws Exception {
        try (TestNet net = new TestNet("epoll")) {
            PtcpServer server = net.listen(PATIENT);
            PtcpSession before = net.dial(server, PATIENT, new RecordingHandler());
            long direct = PlatformDependent.usedDirectMemory();
            ByteString random = ByteString.of(new byte[ControlFrameCodec.RANDOM_BYTES]);
            ByteString guess = ByteString.of(new byte[ControlFrameCodec.PROOF_BYTES]);

            Deque<RawPeer> flood = new ArrayDeque<>();
            for (int i = 0; i < 2_000; i++) {
                RawPeer peer = new RawPeer(server.localAddress());
                peer.send(new ControlFrame.Join(before.id() + i % 3, i % 4, random, guess));
                flood.add(peer);
                if (flood.size() > KEPT) {
                    assertNotKept(flood.removeFirst());
                }
            }
            net.dial(server, PATIENT, new RecordingHandler());
            for (RawPeer peer : flood) {
                assertNotKept(peer);
            }
            assertThat(before.liveStreams())
                    .as("nobody has joined it, or ended it")
                    .isEqualTo(1);
            assertThat(PlatformDependent.usedDirectMemory() - direct).isLessThan(16 * MIB);
        }
    }

    private static void assertNotKept(RawPeer peer) throws IOException {
        try (peer) {
            assertThat(catchThrowable(peer::drain) instanceof SocketTimeoutException)
                    .as("it was kept")
                    .isFalse();
        }
    }

    @Test
    void aPortScanHarmsNothing() throws Exception {
        try (TestNet net = new TestNet("epoll")) {
            PtcpServer server = net.listen(PATIENT);
            for (int i = 0; i < 300; i++) {
                try (SocketChannel channel = SocketChannel.open(server.localAddress())) {
                    if (i % 3 == 1) {
                        channel.write(ByteBuffer.wrap(
                                "GET / HTTP/1.0\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
                    } else if (i % 3 == 2) {
                        channel.socket().setSoLinger(true, 0); // closed by a reset
                    }
                }
            }
            net.dial(server, PATIENT, new RecordingHandler());
        }
    }

    private static List<SocketChannel> open(Deque<SocketChannel> channels) {
        return channels.stream().filter(PtcpFloodTest::isOpen).toList();
    }

    private static boolean isOpen(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) == 0;
        } catch (IOException e) {
            return false; // reset: closed, too
        }
    }

    private static long usedHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
