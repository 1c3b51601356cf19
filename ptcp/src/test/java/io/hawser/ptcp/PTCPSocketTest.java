package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.Leaks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
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

    @BeforeEach
    void open() throws IOException {
        Leaks.watch();
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
        Leaks.assertNone();
    }

    @Test
    void bytesCrossBothWaysAndEachDirectionEndsByItself() throws IOException {
        connect();
        near.getOutputStream().write(TestNet.utf8("question"));
        near.shutdownOutput();
        assertThat(far.getInputStream().readAllBytes()).isEqualTo(TestNet.utf8("question"));
        far.getOutputStream().write(TestNet.utf8("answer"));
        far.close();
        assertThat(near.getInputStream().readAllBytes()).isEqualTo(TestNet.utf8("answer"));
        assertThat(near.isConnected()).isTrue();
        assertThat(near.getPort()).isEqualTo(server.getLocalPort());
        assertThat(far.isClosed()).isTrue();
    }

    @Test
    void streamSurvivesTheDeathOfItsDataChannels() throws Exception {
        try (TestProxy proxy = new TestProxy((InetSocketAddress) server.getLocalSocketAddress())) {
            connect(proxy.address());
            long length = 200L << 20;
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong progress = new AtomicLong();
            CompletableFuture<Long> nearOut = supply(() -> write(near.getOutputStream(), 1, length));
            CompletableFuture<Long> farOut = supply(() -> write(far.getOutputStream(), 2, length));
            CompletableFuture<Long> farIn = supply(() -> read(far.getInputStream(), length, progress));
            CompletableFuture<Long> nearIn = supply(() -> read(near.getInputStream(), length, new AtomicLong()));
            CompletableFuture<Integer> killer = supply(() -> {
                Random random = new Random(3);
                int kills = 0;
                for (long next = 10L << 20; !over.get() && next < length; next += 10L << 20) {
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

            assertThat(farIn.get(120, TimeUnit.SECONDS)).isEqualTo(nearOut.get(120, TimeUnit.SECONDS));
            assertThat(nearIn.get(120, TimeUnit.SECONDS)).isEqualTo(farOut.get(120, TimeUnit.SECONDS));
            over.set(true);
            assertThat(killer.get(10, TimeUnit.SECONDS)).isGreaterThan(5);
            assertThat(proxy.links.size()).isGreaterThan(7);
        }
    }

    @Test
    void slowReaderHoldsTheWriterBack() throws Exception {
        connect();
        AtomicLong written = new AtomicLong();
        CompletableFuture<Long> writer = supply(() -> {
            byte[] piece = new byte[64 << 10];
            for (int i = 0; i < 1024; i++) {
                near.getOutputStream().write(piece);
                written.addAndGet(piece.length);
            }
            near.shutdownOutput();
            return written.get();
        });
        await().until(() -> written.get() >= ByteStream.WINDOW_BYTES);
        await().during(Duration.ofMillis(500)).until(() -> written.get() <= 2 * ByteStream.WINDOW_BYTES + (64 << 10));
        assertThat(writer).isNotDone();

        long read = 0;
        byte[] buffer = new byte[100_000];
        for (int n = far.getInputStream().read(buffer);
                n >= 0;
                n = far.getInputStream().read(buffer)) {
            read += n;
        }
        assertThat(read).isEqualTo(writer.get(10, TimeUnit.SECONDS)).isEqualTo(64L << 20);
    }

    @Test
    void manyTinyWritesArriveInOrder() throws Exception {
        connect();
        int count = 300_000;
        CompletableFuture<Long> writer = supply(() -> {
            for (int i = 0; i < count; i++) {
                near.getOutputStream().write(i);
            }
            near.shutdownOutput();
            return 0L;
        });
        byte[] all = far.getInputStream().readAllBytes();
        writer.get(10, TimeUnit.SECONDS);
        assertThat(all).hasSize(count);
        for (int i = 0; i < count; i++) {
            if (all[i] != (byte) i) {
                throw new AssertionError("byte " + i + " is wrong");
            }
        }
    }

    @Test
    void readGivesUpAfterItsTimeout() throws IOException {
        connect();
        near.setSoTimeout(100);
        assertThat(near.getSoTimeout()).isEqualTo(100);
        assertThatThrownBy(() -> near.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        far.getOutputStream().write(7);
        near.setSoTimeout(10_000);
        assertThat(near.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void acceptGivesUpAfterItsTimeoutAndWhenTheServerSocketIsClosed() throws Exception {
        server.setSoTimeout(100);
        assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        server.setSoTimeout(0);
        CompletableFuture<Socket> accepting = supply(server::accept);
        server.close();
        assertThat(accepting).failsWithin(Duration.ofSeconds(5));
    }

    @Test
    void availableCountsWhatCanBeReadAtOnce() throws IOException {
        connect();
        far.getOutputStream().write(new byte[1000]);
        await().until(() -> near.getInputStream().available() == 1000);
    }

    @Test
    void writerLearnsThatTheOtherEndClosed() throws Exception {
        connect();
        far.close();
        byte[] piece = new byte[10_000];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100_000; i++) {
                        near.getOutputStream().write(piece);
                    }
                })
                .isInstanceOf(SocketException.class);
        assertThat(near.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void closeFreesAThreadThatReads() throws Exception {
        connect();
        CompletableFuture<Integer> reader = supply(() -> near.getInputStream().read());
        near.close();
        assertThat(reader).failsWithin(Duration.ofSeconds(5));
        assertThatThrownBy(() -> near.getOutputStream().write(1)).isInstanceOf(SocketException.class);
    }

    @Test
    void whatWasWrittenBeforeCloseArrives() throws Exception {
        connect();
        CompletableFuture<Long> reader = supply(() -> read(far.getInputStream(), 5 << 20, new AtomicLong()));
        long sent = write(near.getOutputStream(), 9, 5 << 20);
        near.close();
        assertThat(reader.get(10, TimeUnit.SECONDS)).isEqualTo(sent);
        assertThat(far.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void deathOfTheSessionIsAnErrorAndNotAnEnd() throws Exception {
        try (TestProxy proxy = new TestProxy((InetSocketAddress) server.getLocalSocketAddress())) {
            connect(proxy.address());
            CompletableFuture<Integer> reader =
                    supply(() -> near.getInputStream().read());
            proxy.links.get(0).cut();
            assertThat(reader)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withMessageContaining("was lost");
        }
    }

    @Test
    void connectSaysWhatIsWrong() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        assertThatThrownBy(() -> new PTCPSocket(InetAddress.getLoopbackAddress(), free))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("connection refused by");
        try (TestNet net = new TestNet("epoll")) {
            PtcpServer other = net.listen(
                    TestNet.streams(1), (greeting, principal, remote) -> new PtcpAcceptor.Refused("no byte streams"));
            assertThatThrownBy(() -> near.connect(other.localAddress()))
                    .isInstanceOf(PtcpException.class)
                    .hasMessageContaining("no byte streams");
        }
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
            assertThat(write(out.getOutputStream(), 4, 3 << 20)).isEqualTo(reader.get(20, TimeUnit.SECONDS));
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
