package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.Leaks;
import io.hawser.ptcp.testkit.TestProxy;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PTCPSocketTest {
    private static final PtcpOptions OPTIONS =
            new PtcpOptions(4, Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(5), null);
    private static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "test-socket-user");
        thread.setDaemon(true);
        thread.start();
    };

    private PTCPServerSocket server;
    private PTCPSocket near;
    private Socket far;

    @BeforeAll
    static void watchLeaks() {
        Leaks.watch();
    }

    @AfterAll
    static void assertNoLeaks() {
        Leaks.assertNone();
    }

    @BeforeEach
    void open() throws IOException {
        server = new PTCPServerSocket(OPTIONS);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        near = new PTCPSocket(OPTIONS);
        far = new PTCPSocket(OPTIONS);
    }

    private void connect(InetSocketAddress address) throws IOException {
        near.connect(address);
        far = server.accept();
    }

    private void connect() throws IOException {
        connect((InetSocketAddress) server.getLocalSocketAddress());
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
        server.close();
    }

    @Test
    void streamSurvivesTheDeathOfItsDataChannels() throws Exception {
        try (TestProxy proxy = new TestProxy((InetSocketAddress) server.getLocalSocketAddress())) {
            connect(proxy.address());
            long length = 80L << 20;
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong progress = new AtomicLong();
            CompletableFuture<Long> nearOut = supply(() -> write(near.getOutputStream(), 1, length));
            CompletableFuture<Long> farOut = supply(() -> write(far.getOutputStream(), 2, length));
            CompletableFuture<Long> farIn = supply(() -> read(far.getInputStream(), length, progress));
            CompletableFuture<Long> nearIn = supply(() -> read(near.getInputStream(), length, new AtomicLong()));
            CompletableFuture<Integer> killer = supply(() -> {
                Random random = new Random(3);
                int kills = 0;
                for (long next = 5L << 20; !over.get() && next < length; next += 5L << 20) {
                    while (progress.get() < next && !over.get()) {
                        Thread.sleep(1); // between two looks
                    }
                    // The last four links are the live ones, more or less; the first is the communication channel.
                    int newest = proxy.links.size() - 1;
                    proxy.links.get(Math.max(1, newest - random.nextInt(4))).cut();
                    kills++;
                }
                return kills;
            });

            assertThat(farIn.get(2 * TestTimes.SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(nearOut.get(2 * TestTimes.SECONDS, TimeUnit.SECONDS));
            assertThat(nearIn.get(2 * TestTimes.SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(farOut.get(2 * TestTimes.SECONDS, TimeUnit.SECONDS));
            over.set(true);
            assertThat(killer.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isGreaterThan(5);
            assertThat(proxy.links.size()).isGreaterThan(7);
        }
    }

    /**
     * Relays that take everything and let nothing through: no socket says that its channel is dead. The session's own limit is far
     * beyond the test's.
     */
    @Test
    void streamSurvivesDataChannelsThatDieSilently() throws Exception {
        PtcpOptions patient = OPTIONS.withSilence(Duration.ofMinutes(5));
        try (ServerSocket listening = new PTCPServerSocket(patient, 0, 5, InetAddress.getLoopbackAddress());
                TestProxy proxy = new TestProxy((InetSocketAddress) listening.getLocalSocketAddress());
                Socket asks = new PTCPSocket(patient, null, proxy.address());
                Socket answers = listening.accept()) {
            await().until(() -> proxy.links.size() == 5);
            echo(asks, answers, 100);
            proxy.links.get(2).freeze();
            echo(asks, answers, 100);
            await().until(() -> proxy.links.size() > 5); // the dead one is replaced
            proxy.links.get(3).freeze();
            proxy.links.get(4).freeze();
            echo(asks, answers, 3 << 20);
        }
    }

    /** Each packet takes another channel, so that some meet every one. */
    private static void echo(Socket asks, Socket answers, int length) throws Exception {
        CompletableFuture<Long> echoes = supply(() -> {
            long bytes = 0;
            for (int i = 0; i < 8; i++) {
                byte[] question = answers.getInputStream().readNBytes(length);
                answers.getOutputStream().write(question);
                bytes += question.length;
            }
            return bytes;
        });
        Random random = new Random(length);
        for (int i = 0; i < 8; i++) {
            byte[] question = new byte[length];
            random.nextBytes(question);
            asks.getOutputStream().write(question);
            assertThat(asks.getInputStream().readNBytes(length)).isEqualTo(question);
        }
        assertThat(echoes.get(TestTimes.SECONDS, TimeUnit.SECONDS)).isEqualTo(8L * length);
    }

    /** What nobody holds any more is back in the pool, however its socket ended. */
    @Test
    void endedSocketsHaveGivenTheirMemoryBack() throws Exception {
        try (TestProxy proxy = new TestProxy((InetSocketAddress) server.getLocalSocketAddress())) {
            connect(proxy.address());
            CompletableFuture<Integer> writer = supply(() -> {
                near.getOutputStream().write(new byte[100 << 20]);
                return 0;
            });
            assertThat(far.getInputStream().readNBytes(3 << 20)).hasSize(3 << 20);
            assertThat(SharedSocketResources.blocks().takenBlocks()).isPositive();
            proxy.links.get(0).cut();
            assertThat(writer).failsWithin(TestTimes.LIMIT);
            far.close();
            await().until(() -> SharedSocketResources.blocks().takenBlocks() == 0);
        }
    }

    @Test
    void deathOfTheSessionIsAnErrorAndNotAnEnd() throws Exception {
        try (TestProxy proxy = new TestProxy((InetSocketAddress) server.getLocalSocketAddress())) {
            connect(proxy.address());
            CompletableFuture<Integer> reader =
                    supply(() -> near.getInputStream().read());
            proxy.links.get(0).cut();
            assertThat(reader)
                    .failsWithin(TestTimes.LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("Connection reset")
                    .withMessageContaining("was lost");
        }
    }

    @Test
    void buffersBoundWhatIsUnderWay() throws Exception {
        near.setSendBufferSize(1);
        server.setReceiveBufferSize(1);
        assertThat(near.getSendBufferSize()).isEqualTo(SocketSettings.LEAST_WINDOW_BYTES);
        connect();
        assertThat(far.getReceiveBufferSize()).isEqualTo(SocketSettings.LEAST_WINDOW_BYTES);
        AtomicLong written = new AtomicLong();
        CompletableFuture<Long> writer = supply(() -> {
            byte[] piece = new byte[64 << 10];
            for (int i = 0; i < 256; i++) {
                near.getOutputStream().write(piece);
                written.addAndGet(piece.length);
            }
            near.shutdownOutput();
            return written.get();
        });
        await().until(() -> written.get() >= SocketSettings.LEAST_WINDOW_BYTES);
        await().during(Duration.ofMillis(500)).until(() -> written.get() <= 2L * SocketSettings.LEAST_WINDOW_BYTES);
        assertThat(writer).isNotDone();
        assertThat(far.getInputStream().transferTo(OutputStream.nullOutputStream()))
                .isEqualTo(writer.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isEqualTo(16L << 20);
    }

    @Test
    void buffersHaveBounds() throws IOException {
        assertThat(near.getReceiveBufferSize()).isEqualTo(SocketSettings.DEFAULT_WINDOW_BYTES);
        assertThat(near.getSendBufferSize()).isEqualTo(SocketSettings.DEFAULT_WINDOW_BYTES);
        near.setReceiveBufferSize(Integer.MAX_VALUE);
        assertThat(near.getReceiveBufferSize()).isEqualTo(SocketSettings.MOST_WINDOW_BYTES);
        assertThat(near.getTcpNoDelay()).isTrue();
    }

    @Test
    void closeDoesNotWaitForASlowReaderWhoGetsAllTheSame() throws Exception {
        server.setReceiveBufferSize(1);
        connect();
        near.getOutputStream().write(new byte[5 << 20]);
        assertThat(supply(() -> closed(near))).succeedsWithin(TestTimes.LIMIT);
        assertThat(far.getInputStream().transferTo(OutputStream.nullOutputStream()))
                .isEqualTo(5 << 20);
    }

    @Test
    void closeWithLingerWaitsForTheReaderAsLongAsItSays() throws Exception {
        server.setReceiveBufferSize(1);
        connect();
        near.setSoLinger(true, 1);
        near.getOutputStream().write(new byte[5 << 20]);
        assertThat(supply(() -> closed(near))).succeedsWithin(TestTimes.LIMIT);
        assertThat(far.getInputStream().transferTo(OutputStream.nullOutputStream()))
                .isEqualTo(5 << 20);
    }

    @Test
    void closeWithALongLingerEndsWhenTheOtherEndHasItAll() throws Exception {
        server.setReceiveBufferSize(1);
        connect();
        near.setSoLinger(true, 1000);
        near.getOutputStream().write(new byte[5 << 20]);
        CompletableFuture<Boolean> closing = supply(() -> closed(near));
        assertThat(closing).isNotDone();
        assertThat(far.getInputStream().transferTo(OutputStream.nullOutputStream()))
                .isEqualTo(5 << 20);
        assertThat(closing).succeedsWithin(TestTimes.LIMIT);
    }

    private static boolean closed(Socket socket) throws IOException {
        socket.close();
        return socket.isClosed();
    }

    @Test
    void fullBacklogRefusesAndTakesMoreWhenThereIsRoom() throws Exception {
        try (ServerSocket small = new PTCPServerSocket(OPTIONS, 0, 1, InetAddress.getLoopbackAddress())) {
            near.connect(small.getLocalSocketAddress());
            // The acceptor has it in its queue a moment after the dialler has it.
            await().until(() -> !connects(small));
            small.accept().close();
            far.connect(small.getLocalSocketAddress());
            assertThat(far.isConnected()).isTrue();
        }
    }

    private static boolean connects(ServerSocket to) throws IOException {
        try (Socket socket = new PTCPSocket(OPTIONS, null, (InetSocketAddress) to.getLocalSocketAddress())) {
            return socket.isConnected();
        } catch (ConnectException e) {
            assertThat(e).hasMessageStartingWith("Connection refused").hasMessageContaining("backlog");
            return false;
        }
    }

    @Test
    void urgentDataIsRefused() throws IOException {
        connect();
        assertThatThrownBy(() -> near.sendUrgentData(1))
                .isInstanceOf(SocketException.class)
                .hasMessage("Urgent data not supported");
    }

    @Test
    void streamGoesBehindTlsToo() throws Exception {
        TestCertificates certificates = new TestCertificates();
        PtcpOptions acceptor = TestNet.streams(2, certificates.acceptor("broker"));
        PtcpOptions dialler = TestNet.streams(2, certificates.dialler("agent"));
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket listening = new PTCPServerSocketFactory(acceptor).createServerSocket(0, 5, loopback);
                Socket out = new PTCPSocketFactory(dialler).createSocket(loopback, listening.getLocalPort());
                Socket in = listening.accept()) {
            CompletableFuture<Long> reader = supply(() -> read(in.getInputStream(), 3 << 20, new AtomicLong()));
            assertThat(write(out.getOutputStream(), 4, 3 << 20))
                    .isEqualTo(reader.get(TestTimes.SECONDS, TimeUnit.SECONDS));
        }
    }

    private interface IoSupplier<T> {
        T get() throws Exception;
    }

    private static <T> CompletableFuture<T> supply(IoSupplier<T> work) {
        CompletableFuture<T> future = new CompletableFuture<>();
        THREADS.execute(() -> {
            try {
                future.complete(work.get());
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    /** Writes random bytes in pieces of random length; returns their CRC. */
    private static long write(OutputStream out, long seed, long length) throws IOException {
        Random random = new Random(seed);
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[300_000];
        random.nextBytes(buffer);
        for (long left = length; left > 0; ) {
            buffer[random.nextInt(buffer.length)] ^= (byte) random.nextInt();
            int n = (int) Math.min(left, 1 + random.nextInt(buffer.length));
            out.write(buffer, 0, n);
            crc.update(buffer, 0, n);
            left -= n;
        }
        return crc.getValue();
    }

    private static long read(InputStream in, long length, AtomicLong progress) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] buffer = new byte[64 << 10];
        for (long left = length; left > 0; ) {
            int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new IOException("ends " + left + " bytes too early");
            }
            crc.update(buffer, 0, n);
            left -= n;
            progress.addAndGet(n);
        }
        return crc.getValue();
    }
}
