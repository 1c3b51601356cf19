package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast packets go from a dialler to an acceptor over loopback, each on one loop of one JVM:
 * {@code PtcpThroughput [epoll|nio] [plain|tls] [streams] [packet KiB] [seconds]}. Prints one line for each of three rounds.
 */
public final class PtcpThroughput {
    private PtcpThroughput() {}

    /** Runs the measurement. */
    public static void main(String[] args) throws Exception {
        String transport = args.length > 0 ? args[0] : "epoll";
        boolean tls = args.length > 1 && args[1].equals("tls");
        int streams = args.length > 2 ? Integer.parseInt(args[2]) : 4;
        int packetBytes = (args.length > 3 ? Integer.parseInt(args[3]) : 1024) << 10;
        int seconds = args.length > 4 ? Integer.parseInt(args[4]) : 4;
        TestCertificates certificates = new TestCertificates();
        EventLoopGroup far = newGroup(transport);
        EventLoopGroup near = newGroup(transport);
        PtcpServer server = PtcpServer.listen(
                far,
                new InetSocketAddress("127.0.0.1", 0),
                options(streams, tls ? certificates.acceptor("a") : null),
                (greeting, principal, remote) -> new PtcpAcceptor.Accepted(new byte[0], new Sink()));
        PtcpSession session = new PtcpDialler()
                .connect(
                        near,
                        server.localAddress(),
                        new byte[0],
                        options(streams, tls ? certificates.dialler("d") : null),
                        new Source(packetBytes))
                .get(20, TimeUnit.SECONDS);
        for (int round = 0; round < 3; round++) {
            long before = session.traffic().sentBytes();
            long start = System.nanoTime();
            long cpuStart = cpuNanos();
            TimeUnit.SECONDS.sleep(seconds);
            double megabytes = (session.traffic().sentBytes() - before) / 1e6;
            System.out.println(String.format(
                    Locale.ROOT,
                    "%s %s, %d streams, %d KiB packets: %.0f MB/s, %.2f cpu s/GB for both ends",
                    Transports.nameOf(near),
                    tls ? "TLS" : "plain",
                    streams,
                    packetBytes >> 10,
                    megabytes * 1e9 / (System.nanoTime() - start),
                    (cpuNanos() - cpuStart) / 1e6 / megabytes));
        }
        near.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        far.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    private static EventLoopGroup newGroup(String transport) {
        return transport.equals("nio") ? Transports.newNioGroup(1) : Transports.newGroup(1);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private static PtcpOptions options(int streams, @Nullable SslContext ssl) {
        return new PtcpOptions(streams, Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofSeconds(10), ssl);
    }

    /** Sends the same packet for ever. */
    private static final class Source extends QuietHandler {
        private final ByteBuf header = Unpooled.directBuffer(80, 80).writeZero(80);
        private final ByteBuf payload;

        Source(int packetBytes) {
            payload = Unpooled.directBuffer(packetBytes, packetBytes).writeZero(packetBytes);
        }

        @Override
        public PtcpPacket nextPacket(PtcpSession session, int stream) {
            return new PtcpPacket(header.retainedDuplicate(), payload.retainedDuplicate());
        }
    }

    /** Receives into a few buffers, as a relay does. */
    private static final class Sink extends QuietHandler {
        private final ByteBuf[] pool = new ByteBuf[PtcpOptions.MAX_STREAMS];

        @Override
        public ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength) {
            int place = stream % pool.length;
            ByteBuf memory = pool[place];
            if (memory == null) {
                memory = Unpooled.directBuffer(payloadLength, payloadLength);
                pool[place] = memory;
            }
            return memory.clear().retain();
        }
    }

    private static class QuietHandler implements PtcpHandler {
        @Override
        public void onOpen(PtcpSession session) {}

        @Override
        public void onControl(PtcpSession session, ByteBuf message) {}

        @Override
        public @Nullable ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength) {
            return null;
        }

        @Override
        public void onPacket(PtcpSession session, int stream, ByteBuf header, ByteBuf payload) {}

        @Override
        public @Nullable PtcpPacket nextPacket(PtcpSession session, int stream) {
            return null;
        }

        @Override
        public void onStreamLost(PtcpSession session, int stream) {}

        @Override
        public void onClosed(PtcpSession session, PtcpException cause) {}
    }
}
