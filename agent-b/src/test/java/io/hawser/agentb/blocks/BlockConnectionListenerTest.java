package io.hawser.agentb.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.PortRange;
import io.hawser.core.testkit.LogCapture;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a server's connections may say in MODE E. */
class BlockConnectionListenerTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int LONG_MILLIS = 20_000;
    private static final int END = BlockHeader.EOD | BlockHeader.EOF;

    private final List<Socket> sockets = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // see open
    private BlockConnectionListener connections;

    @BeforeEach
    void open() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        connections = new BlockConnectionListener(here, here, PortRange.ANY, socket -> socket);
    }

    @AfterEach
    void close() throws IOException {
        connections.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private OutputStream dial() throws IOException {
        InetSocketAddress there = connections.address(Optional.empty());
        Socket socket = new Socket(there.getAddress(), there.getPort());
        sockets.add(socket);
        return socket.getOutputStream();
    }

    private static void block(OutputStream out, int flags, long offset, int... bytes) throws IOException {
        boolean isEof = (flags & BlockHeader.EOF) != 0;
        byte[] block = new byte[BlockHeader.LENGTH_BYTES + bytes.length];
        new BlockHeader(flags, isEof ? 0 : bytes.length, offset).putInto(ByteBuffer.wrap(block));
        for (int i = 0; i < bytes.length; i++) {
            block[BlockHeader.LENGTH_BYTES + i] = (byte) bytes[i];
        }
        out.write(block);
    }

    private BlockTransfer begun(long start, long end) {
        BlockTransfer transfer = new BlockTransfer(start, end, 1 << 10);
        connections.begin(transfer);
        return transfer;
    }

    private static byte[] taken(BlockTransfer transfer, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            transfer.take(into, into.remaining(), LONG_NANOS);
        }
        return into.array();
    }

    @Test
    void theSameConnectionsCarryTheNextFile() throws Exception {
        OutputStream one = dial();
        OutputStream two = dial();
        for (int file = 0; file < 3; file++) {
            BlockTransfer transfer = begun(0, 4);
            assertThat(transfer.awaitDialled(LONG_MILLIS)).isTrue();
            block(two, END, 2); // it may come first
            block(one, 0, 2, 2 + file, 3);
            block(one, BlockHeader.EOD, 0, 0, 1);

            assertThat(taken(transfer, 4)).isEqualTo(new byte[] {0, 1, (byte) (2 + file), 3});
            assertThat(transfer.awaitEnd(LONG_MILLIS)).isTrue();
        }
        assertThat(connections.count()).isEqualTo(2);
    }

    @Test
    void aConnectionThatIsCutBreaksTheTransfer() throws Exception {
        BlockTransfer transfer = begun(0, 4);
        OutputStream out = dial();
        block(out, 0, 0, 1, 2);
        out.write(new byte[5]);
        out.close();

        assertThat(taken(transfer, 2)).containsExactly(1, 2);
        assertThatThrownBy(() -> taken(transfer, 1)).hasMessageContaining("within a block");
        assertThat(transfer.awaitEnd(LONG_MILLIS)).isFalse();
    }

    @Test
    void anEndWithoutAllBytesIsAnEarlyEnd() throws Exception {
        BlockTransfer transfer = begun(0, 4);
        block(dial(), END, 1);

        assertThatThrownBy(() -> taken(transfer, 1)).hasMessageContaining("ended the file early");
    }

    @Test
    void aCountOfEndsThatLiesIsNoEnd() throws Exception {
        BlockTransfer few = begun(0, 1);
        OutputStream out = dial();
        block(out, 0, 0, 1);
        block(out, END, 3);
        assertThat(taken(few, 1)).containsExactly(1);
        assertThat(few.awaitEnd(200)).isFalse();

        BlockTransfer many = begun(0, 1);
        block(out, END, 0);
        assertThatThrownBy(() -> taken(many, 1)).hasMessageContaining("EOF announced 0");
    }

    @Test
    void whatCannotBeBreaksTheTransfer() throws Exception {
        for (long[] countAndOffset : new long[][] {{-1, 0}, {1, -1}, {2, Long.MAX_VALUE}, {5, 0}, {1, 4}}) {
            BlockTransfer transfer = begun(0, 4);
            byte[] header = new byte[BlockHeader.LENGTH_BYTES + 5];
            new BlockHeader(0, countAndOffset[0], countAndOffset[1]).putInto(ByteBuffer.wrap(header));
            dial().write(header);

            assertThat(transfer.awaitEnd(LONG_MILLIS))
                    .as(Arrays.toString(countAndOffset))
                    .isFalse();
            assertThatThrownBy(() -> taken(transfer, 5))
                    .as(Arrays.toString(countAndOffset))
                    .isInstanceOf(IOException.class);
        }
    }

    private void openForAnotherHost() throws IOException {
        connections.close();
        connections = new BlockConnectionListener(
                InetAddress.getLoopbackAddress(), InetAddress.getByName("127.0.0.2"), PortRange.ANY, socket -> socket);
    }

    @Test
    void nobodyElseIsLetIn() throws Exception {
        openForAnotherHost();
        BlockTransfer transfer = begun(0, 1);
        block(dial(), END, 1);

        assertThat(transfer.awaitDialled(200)).isFalse();
        assertThatThrownBy(() -> transfer.take(ByteBuffer.allocate(1), 1, 1))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void oneThatDialsAgainAndAgainIsLoggedOnce() throws Exception {
        openForAnotherHost();
        try (LogCapture log = LogCapture.of(BlockConnectionListener.class, Level.WARN)) {
            for (int i = 0; i < 5; i++) {
                OutputStream unused = dial();
                assertThat(sockets.get(i).getInputStream().read()).as("refused").isNegative();
            }
            assertThat(log.events()).hasSize(1);
        }
    }

    @Test
    void portsAreOfTheRangeAndWhenAllAreTakenThatIsSaid() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, here)) {
            port = free.getLocalPort();
        }
        InetAddress outside = InetAddress.getByAddress(new byte[] {10, 1, 2, 3});

        try (BlockConnectionListener one =
                new BlockConnectionListener(here, here, new PortRange(port, port), socket -> socket)) {
            assertThat(one.address(Optional.of(outside))).isEqualTo(new InetSocketAddress(outside, port));
            assertThatThrownBy(
                            () -> new BlockConnectionListener(here, here, new PortRange(port, port), socket -> socket))
                    .isInstanceOf(NoPortException.class)
                    .hasMessageContaining(port + "-" + port);
        }
    }
}
