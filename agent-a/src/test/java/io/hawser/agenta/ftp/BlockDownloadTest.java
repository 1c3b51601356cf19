package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads in MODE E to a receiver that looks at every block. */
class BlockDownloadTest extends OnUsualFtpServer {
    private ServerSocket listener;
    private final List<Socket> sockets = new ArrayList<>();
    private final byte[] file = RandomBytes.of(3_000_001);

    @BeforeEach
    void prepare() throws Exception {
        ftp.remote.connect().file("f", file);
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        client.ok("MODE E");
        port();
    }

    @AfterEach
    void end() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        listener.close();
        client.close();
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    private String address() {
        int port = listener.getLocalPort();
        return "127,0,0,1," + port / 256 + "," + port % 256;
    }

    private void port() throws IOException {
        client.ok("PORT " + address());
    }

    private void accept(int connections) throws IOException {
        listener.setSoTimeout(10_000);
        for (int i = 0; i < connections; i++) {
            sockets.add(listener.accept());
        }
    }

    /** What one transfer brought over all connections. */
    private static final class Received {
        private final byte[] bytes = new byte[4_000_000];
        private long end;
        private long count;
        private int eods;
        private final List<Long> eofs = new ArrayList<>();
        private long first = Long.MAX_VALUE;

        private synchronized void block(long offset, byte[] payload) {
            System.arraycopy(payload, 0, bytes, (int) offset, payload.length);
            end = Math.max(end, offset + payload.length);
            first = Math.min(first, offset);
            count += payload.length;
        }

        private synchronized void end(int flags, long connections) {
            eods++;
            if ((flags & 0x40) != 0) {
                eofs.add(connections);
            }
        }

        private byte[] all() {
            return Arrays.copyOf(bytes, (int) end);
        }
    }

    private Received receive() {
        Received received = new Received();
        CompletableFuture.allOf(sockets.stream()
                        .map(socket -> CompletableFuture.runAsync(
                                () -> receive(socket, received), task -> new Thread(task).start()))
                        .toArray(CompletableFuture[]::new))
                .join();
        return received;
    }

    private static void receive(Socket socket, Received received) {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                int flags = in.readUnsignedByte();
                long count = in.readLong();
                long offset = in.readLong();
                if ((flags & 0x08) != 0) {
                    received.end(flags, offset);
                    return;
                }
                byte[] payload = new byte[(int) count];
                in.readFully(payload);
                received.block(offset, payload);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void fileComesOverAllConnectionsWithAnEodOnEach(int connections) throws Exception {
        client.ok("OPTS RETR Parallelism=" + connections + "," + connections + "," + connections + ";");
        client.expect("RETR /site-b/f", 150);
        accept(connections);

        Received received = receive();

        client.expect(226);
        assertThat(received.all()).isEqualTo(file);
        assertThat(received.count).isEqualTo(file.length);
        assertThat(received.eods).isEqualTo(connections);
        assertThat(received.eofs).containsExactly((long) connections);
    }

    @Test
    void connectionsCarryTheNextFileAndTheListing() throws Exception {
        ftp.remote.file("g", new byte[0]);
        client.ok("OPTS RETR Parallelism=2,2,2;");
        client.expect("RETR /site-b/f", 150);
        accept(2);
        assertThat(receive().all()).isEqualTo(file);
        client.expect(226);

        client.expect("MLSD /site-b", 125);
        Received listing = receive();
        client.expect(226);
        assertThat(new String(listing.all(), StandardCharsets.UTF_8)).contains("; f\r\n", "; g\r\n");
        client.expect("RETR /site-b/g", 125);
        Received empty = receive();
        client.expect(226);
        assertThat(empty.count).isZero();
        assertThat(empty.eofs).containsExactly(2L);
    }

    @Test
    void rangesThatTheClientHasAreLeftOut() throws Exception {
        client.expect("REST 0-1000,70000-2000000", 350);
        client.expect("RETR /site-b/f", 150);
        accept(1);

        Received received = receive();

        client.expect(226);
        assertThat(received.first).isEqualTo(1000);
        assertThat(received.count).isEqualTo(file.length - 1000 - 1_930_000);
        assertThat(Arrays.copyOfRange(received.bytes, 1000, 70_000)).isEqualTo(Arrays.copyOfRange(file, 1000, 70_000));
        assertThat(Arrays.copyOfRange(received.bytes, 2_000_000, file.length))
                .isEqualTo(Arrays.copyOfRange(file, 2_000_000, file.length));
    }

    @Test
    void partIsCountedFromZero() throws Exception {
        client.expect("ERET P 100000 300000 /site-b/f", 150);
        accept(1);

        Received received = receive();

        client.expect(226);
        assertThat(received.all()).isEqualTo(Arrays.copyOfRange(file, 100_000, 400_000));
    }

    @Test
    void eachStripeGetsItsOwnEnd() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            client.ok("SPOR " + address() + " 127,0,0,1," + port / 256 + "," + port % 256);
            client.ok("OPTS RETR Parallelism=2,2,2;");
            client.expect("RETR /site-b/f", 150);
            accept(2);
            sockets.add(other.accept());
            sockets.add(other.accept());

            Received received = receive();

            client.expect(226);
            assertThat(received.all()).isEqualTo(file);
            assertThat(received.eofs).containsExactly(2L, 2L);
        }
    }

    @Test
    void equalAddressesAreOneStripe() throws Exception {
        client.ok("SPOR " + address() + " " + address());
        client.expect("RETR /site-b/f", 150);
        accept(1);

        Received received = receive();

        client.expect(226);
        assertThat(received.all()).isEqualTo(file);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void aDownloadOpensNoMoreThanASessionMayHave() throws Exception {
        StringBuilder spor = new StringBuilder("SPOR");
        List<ServerSocketChannel> stripes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ServerSocketChannel stripe = ServerSocketChannel.open();
            stripe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
            stripe.configureBlocking(false);
            stripes.add(stripe);
            int port = stripe.socket().getLocalPort();
            spor.append(" 127,0,0,1,").append(port / 256).append(',').append(port % 256);
        }
        client.ok(spor.toString());
        client.ok("OPTS RETR Parallelism=64,64,64;");

        client.expect("ERET P 0 1 /site-b/f", 150);
        client.expect(226);

        for (ServerSocketChannel stripe : stripes) {
            for (int i = 0; i < 256 / 5; i++) {
                sockets.add(stripe.accept().socket());
            }
            assertThat(stripe.accept()).isNull();
            stripe.close();
        }
    }

    @Test
    void newPortClosesTheConnections() throws Exception {
        client.expect("RETR /site-b/f", 150);
        accept(1);
        receive();
        client.expect(226);

        port();

        assertThat(sockets.get(0).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void clientThatResetsIsToldAtOnce() throws Exception {
        client.expect("RETR /site-b/f", 150);
        accept(1);
        assertThat(sockets.get(0).getInputStream().read()).isZero(); // the first block has begun
        sockets.get(0).setSoLinger(true, 0);
        sockets.get(0).close();

        client.expect(426);
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    @Test
    void clientThatNeverReadsHoldsNoBuffersFromOthers() throws Exception {
        byte[] large = new byte[64 << 20];
        ftp.remote.file("large", large);
        client.ok("OPTS RETR Parallelism=8,8,8;");
        client.expect("RETR /site-b/large", 150);
        accept(8); // and reads nothing
        try (RawFtp other = RawFtp.login(ftp.port)) {
            Socket data = other.begin("RETR /site-b/f");

            assertThat(data.getInputStream().readAllBytes()).isEqualTo(file);
            other.expect(226);
        }
        client.abort();
    }

    @Test
    void senderConnectsInModeE() throws Exception {
        client.ok("EPSV");

        client.expect("RETR /site-b/f", 425, "the sender connects");
        client.ok("PORT " + address());
        client.expect("STOR /site-b/x", 425);
    }

    @Test
    void connectionsThatCannotBeOpenedAreReportedAtOnce() throws Exception {
        listener.close();

        client.expect("RETR /site-b/f", 150);
        client.expect(425);
    }

    @Test
    void missingFileIsRefusedAndTheConnectionsStay() throws Exception {
        client.expect("RETR /site-b/f", 150);
        accept(1);
        receive();
        client.expect(226);

        client.expect("RETR /site-b/none", 550, "No such file or directory");
        client.expect("RETR /site-b/f", 125);
        assertThat(receive().all()).isEqualTo(file);
        client.expect(226);
    }
}
