package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.credential.Delegation;
import io.hawser.gsi.file.TrustDirectory;
import io.hawser.gsi.testkit.GridPki;
import io.hawser.gsi.token.GsiInitiator;
import io.hawser.gsi.token.PeerCheck;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections than there are places, from many addresses, that log nobody in, and say as much as they may. */
class FtpFloodTest extends OnFtpServer {
    private static final int CONNECTIONS = FtpLimits.defaults().sessions().max() * 3 / 2;
    private static final long MIB = 1 << 20;
    /** Each place holds a line that is as long as it may be. */
    private static final long BOUND = FtpLimits.defaults().sessions().max() * (64L << 10) * 3 / 2 + 8 * MIB;

    @TempDir
    Path grid;

    private GridPki pki;
    private RawFtp before;

    @BeforeEach
    void start() throws Exception {
        pki = GridPki.in(grid);
        Path host = pki.write("host.pem", pki.ecHost()); // signs quickly
        GsiFiles files = GsiFiles.open(host, host, pki.trustDirectory(), pki.map(pki.user("Anna"), "anna"), false);
        ftp = FtpFixture.start(config -> config.withGsi(files));
        before = RawFtp.login(ftp.port);
    }

    /** Connects from one of 64 addresses, so that none has more connections than it may. */
    private static SocketChannel connect(int number, int port) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.bind(new InetSocketAddress("127.0.9." + (1 + number % 64), 0));
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return channel;
    }

    private static void close(Deque<SocketChannel> channels) throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private void assertServesWhoIsIn(long heap, long direct, String what) throws Exception {
        Awaitility.await()
                .until(() -> ftp.loop().submit(() -> ftp.server.sessionCount()).get()
                        <= FtpLimits.defaults().sessions().max());
        long heapMore = usedHeapBytes() - heap;
        long directMore = PlatformDependent.usedDirectMemory() - direct;
        System.out.println("FIGURE most heap bytes for " + what + " = " + Math.max(0, heapMore));
        System.out.println("FIGURE most direct bytes for " + what + " = " + Math.max(0, directMore));
        assertThat(heapMore).isLessThan(BOUND);
        assertThat(directMore).isLessThan(BOUND);

        before.ok("TYPE I");
        before.upload("STOR /t/f", new byte[] {7});
    }

    /** Once they are gone there is room for others. */
    private void assertLetsInAgain() {
        Awaitility.await().until(() -> {
            try {
                RawFtp.connect(ftp.port).close();
                return true;
            } catch (AssertionError stillFull) {
                return false;
            }
        });
    }

    @Test
    void linesWithoutAnEnd() throws Exception {
        long heap = usedHeapBytes();
        long direct = PlatformDependent.usedDirectMemory();
        byte[] clear = new byte[FtpLimits.defaults().commands().beforeLogin().maxLineBytes()];
        Arrays.fill(clear, (byte) 'A');
        byte[] token = new byte[64 << 10];
        Arrays.fill(token, (byte) 'A');
        Deque<SocketChannel> flood = new ArrayDeque<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            boolean gsi = i % 2 == 0;
            SocketChannel channel = connect(i, gsi ? ftp.gridftpPort() : ftp.port);
            if (firstByte(channel) == '2') {
                for (ByteBuffer line = ByteBuffer.wrap(gsi ? token : clear); line.hasRemaining(); ) {
                    channel.write(line);
                }
                flood.add(channel);
            } else {
                channel.close(); // 421
            }
        }
        assertThat(flood).hasSize(FtpLimits.defaults().sessions().max() - 1);
        assertServesWhoIsIn(heap, direct, CONNECTIONS + " connections with lines without an end");
        close(flood);
        assertLetsInAgain();
    }

    /** The server has answered each with its certificate, and waits for the client's. */
    @Test
    void loginsByGsiThatStopHalfWay() throws Exception {
        Credential anybody = pki.user("Nobody");
        byte[] hello = GsiInitiator.ofLogin(
                        anybody,
                        new TrustDirectory(pki.trustDirectory(), false, Duration.ZERO),
                        PeerCheck.host("localhost"),
                        Delegation.NONE,
                        Duration.ofHours(1))
                .step(new byte[0]);
        byte[] said = ("AUTH GSSAPI\r\nADAT " + Base64.getEncoder().encodeToString(hello) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        long heap = usedHeapBytes();
        long direct = PlatformDependent.usedDirectMemory();
        Deque<SocketChannel> flood = new ArrayDeque<>();
        int most = FtpLimits.defaults().sessions().max() - 1;
        for (int i = 0; i < most; i++) {
            SocketChannel channel = connect(i, ftp.gridftpPort());
            channel.write(ByteBuffer.wrap(said));
            channel.configureBlocking(false);
            flood.add(channel);
        }
        for (SocketChannel channel : flood) {
            awaitText(channel, "335 ADAT=");
        }
        assertServesWhoIsIn(heap, direct, most + " logins by GSI that stop half-way");
        close(flood);
        assertLetsInAgain();
    }

    private static void awaitText(SocketChannel channel, String text) {
        ByteBuffer got = ByteBuffer.allocate(16 << 10);
        Awaitility.await().until(() -> {
            if (channel.read(got) < 0) {
                throw new IOException(
                        "closed after: " + new String(got.array(), 0, got.position(), StandardCharsets.UTF_8));
            }
            return new String(got.array(), 0, got.position(), StandardCharsets.UTF_8).contains(text);
        });
    }

    private static int firstByte(SocketChannel channel) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(channel.read(one)).isOne();
        return one.get(0);
    }

    private static long usedHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
