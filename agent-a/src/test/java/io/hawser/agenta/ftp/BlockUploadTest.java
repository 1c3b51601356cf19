package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.spool.SpoolPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads in MODE E by a sender that does what the protocol allows and what it does not. */
class BlockUploadTest extends OnUsualFtpServer {
    private static final int BUFFERS = 8;
    private static final int EOF = BlockStream.EOF;
    private static final int EOD = BlockStream.EOD;
    private static final int CLOSE = BlockStream.CLOSE;

    private final byte[] bytes = RandomBytes.of(300_001);
    private int port;
    private final List<BlockStream> streams = new ArrayList<>();

    @Override
    protected FtpFixture server() throws Exception {
        return FtpFixture.onEpoll(BUFFERS, config -> config);
    }

    @BeforeEach
    void prepare() throws Exception {
        client.ok("MODE E");
        port = client.passivePort();
    }

    @AfterEach
    void end() throws Exception {
        for (BlockStream stream : streams) {
            stream.close();
        }
    }

    private BlockStream connect() throws IOException {
        BlockStream stream = BlockStream.connect(port);
        streams.add(stream);
        return stream;
    }

    /** Begins the upload, over one connection at first. */
    private BlockStream begin() throws IOException {
        BlockStream stream = connect();
        store();
        return stream;
    }

    private void store() throws IOException {
        client.expect("STOR /t/f", 150);
    }

    /** Waits until so many bytes have been received, and what was sent behind them has been read. */
    private void awaitReceived(int count) throws IOException {
        client.awaitReceived(count);
        client.awaitTurn();
    }

    private void arrived() throws IOException {
        assertThat(client.end()).startsWith("226");
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    private void refused(int code, String words) throws IOException {
        assertThat(client.end()).startsWith(Integer.toString(code)).containsIgnoringCase(words);
        assertThat(ftp.spool.content("t", "f")).isNull();
        assertThat(ftp.spool.all()).noneMatch(state -> state.phase() == SpoolPhase.RECEIVING);
    }

    @Test
    void blocksOfOneConnectionInAnyOrder() throws Exception {
        BlockStream one = begin();
        for (int end = bytes.length; end > 0; end -= 10_000) {
            one.block(0, bytes, Math.max(0, end - 10_000), end);
        }
        one.flags(EOF | EOD, 1);

        arrived();
    }

    @Test
    void whatTheFarEdgeSaidBeforeAnUploadIsNotBelievedBehindIt() throws Exception {
        ftp.remote.connect().file("f", new byte[7]);
        assertThat(client.ok("SIZE /t/f")).isEqualTo("213 7");
        BlockStream one = begin();
        one.blocks(bytes, 0, bytes.length, 50_000).flags(EOF | EOD, 1);
        arrived();
        ftp.remote.file("f", bytes);
        ftp.spool.finishAll();

        assertThat(client.ok("SIZE /t/f")).isEqualTo("213 300001");
    }

    @Test
    void eofFirst() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        one.flags(EOF, 2);
        two.blocks(bytes, 0, 100_000, 7000).flags(EOD, 0);
        one.blocks(bytes, 100_000, bytes.length, 5000).flags(EOD, 0);

        arrived();
    }

    @Test
    void eofInTheMiddleAndEodOnADataBlock() throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, 100_000, 7000).flags(EOF, 1).block(EOD, bytes, 100_000, bytes.length);

        arrived();
    }

    @Test
    void connectionsWithNothingButAnEodAndLateOnes() throws Exception {
        connect().flags(EOD, 0);
        connect().flags(EOD, 0);
        store();
        connect().blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 4);
        awaitReceived(bytes.length); // the last connection comes when all else is there
        connect().flags(EOD, 0);

        arrived();
    }

    @Test
    void headersAndPayloadSplitIntoSingleBytes() throws Exception {
        BlockStream one = connect();
        one.socket().setTcpNoDelay(true);
        store();
        one.blocks(bytes, 50, bytes.length, 100_000);
        byte[] header = BlockStream.header(EOD, 50, 0);
        for (byte b : header) {
            one.raw(new byte[] {b});
            client.awaitTurn(); // each byte of the header is read by itself
        }
        for (int i = 0; i < 50; i++) {
            one.raw(new byte[] {bytes[i]});
        }
        connect().flags(EOF | EOD, 2);

        arrived();
    }

    @Test
    void closingSendersAreNoBreak() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        one.blocks(bytes, 0, 100_000, 64 << 10).flags(EOD | CLOSE, 0).close();
        awaitReceived(100_000); // the end of the first connection is seen before the rest comes
        two.blocks(bytes, 100_000, bytes.length, 64 << 10)
                .flags(EOF | EOD | CLOSE, 2)
                .close();

        arrived();
    }

    @Test
    void emptyFile() throws Exception {
        BlockStream one = begin();
        one.flags(EOF | EOD, 1);

        assertThat(client.end()).startsWith("226");
        assertThat(ftp.spool.content("t", "f")).isEmpty();
    }

    @Test
    void sameBytesTwiceAreFine() throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, 200_000, 30_000);
        one.blocks(bytes, 1000, 150_000, 10_001);
        one.blocks(bytes, 190_000, bytes.length, 64 << 10);
        one.block(0, bytes, 0, bytes.length);
        one.flags(EOF | EOD, 1);

        arrived();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10_000, 299_990})
    void otherBytesAtTheSamePlaceAreRefused(int position) throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, bytes.length, 64 << 10);
        byte[] other = bytes.clone();
        other[position + 5] ^= 1;
        one.block(0, other, position, position + 10).flags(EOF | EOD, 1);

        refused(550, "differ from those that came before at the same place");
    }

    @Test
    void connectionThatClosesWithoutEodBreaksTheUpload() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        one.blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 2);
        awaitReceived(bytes.length);
        two.raw(BlockStream.header(0, 10, 0)).close();

        refused(426, "before its EOD");
        assertThat(ftp.spool.all().get(0).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    @Test
    void bytesThatNeverCameAreMissed() throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, 100_000, 64 << 10).blocks(bytes, 100_001, bytes.length, 64 << 10);
        one.flags(EOF | EOD, 1);

        refused(451, "the bytes at 100000 never came");
    }

    @Test
    void missingEofIsNotWaitedForWhenTheClientLeaves() throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, bytes.length, 64 << 10).flags(EOD, 0);
        await().until(() -> ftp.spool.all().get(0).durableBytes() > 0);
        client.close();

        await().until(() -> ftp.spool.all().get(0).phase() == SpoolPhase.INCOMPLETE);
        assertThat(ftp.spool.content("t", "f")).isNull();
    }

    @Test
    void eodCountThatLiesIsRefused() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        two.block(0, bytes, 0, 10);
        one.blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 1);

        refused(426, "data connections");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bytesThatStandUnreadWhenTheCountIsReachedAreNotLost(boolean secondIsNew) throws Exception {
        BlockStream one = connect();
        BlockStream two = secondIsNew ? null : connect();
        store();
        one.block(0, bytes, 0, 100_000);
        await().until(() ->
                ftp.spool.all().stream().anyMatch(state -> state.durableBytes() >= FtpFixture.FRAGMENT_BYTES));
        CountDownLatch sent = new CountDownLatch(1);
        var held = ftp.loop().submit(() -> sent.await(10, TimeUnit.SECONDS));
        // Ready in this order, so that the count is reached while nothing of the second connection has been read.
        one.flags(EOF | EOD, 1).close();
        BlockStream late = two == null ? connect() : two;
        late.block(0, bytes, 100_000, 110_000).flags(EOD, 0).close();
        sent.countDown();
        assertThat(held.get()).isTrue();

        refused(426, "data connections");
    }

    @Test
    void sendersThatAreAllGoneWithoutEofAreNotWaitedFor() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        one.blocks(bytes, 0, 100_000, 64 << 10).flags(EOD, 0).close();
        two.blocks(bytes, 100_000, bytes.length, 64 << 10).flags(EOD | CLOSE, 0).close();

        refused(426, "all data connections were closed, and no EOF block came");
        assertThat(ftp.spool.all().get(0).phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100_000, -1})
    void impossibleEodCountIsRefusedAtOnce(long connections) throws Exception {
        BlockStream one = begin();
        one.flags(EOF | EOD, connections);

        refused(426, "data connections");
    }

    @Test
    void impossibleBlocksAreRefusedAtOnceAndCostNothing() throws Exception {
        BlockStream one = begin();
        one.raw(BlockStream.header(0, 1L << 62, 0));

        refused(426, "not MODE E");
    }

    @Test
    void farOffsetIsABlockLikeAnyOther() throws Exception {
        BlockStream one = begin();
        one.raw(BlockStream.header(EOD, 1, 1L << 40)).raw(new byte[1]);
        connect().flags(EOF | EOD, 2);

        refused(451, "the bytes at 0 never came");
    }

    @Test
    void markersTellWhatIsDurable() throws Exception {
        BlockStream one = begin();
        assertThat(client.reply())
                .startsWith("112-Perf Marker\n Timestamp:  ")
                .contains("\n Stripe Bytes Transferred: 0\n Total Stripe Count: 1\n112 End.");
        one.blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 1);

        assertThat(client.reply()).contains("\n Stripe Bytes Transferred: 300001\n");
        assertThat(client.reply()).isEqualTo("111 Range Marker 0-300001");
        client.expect(226);
    }

    @Test
    void connectionsAreUsedAgainWithoutANewPort() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        one.blocks(bytes, 0, 100_000, 64 << 10).flags(EOD, 0);
        two.blocks(bytes, 100_000, bytes.length, 64 << 10).flags(EOF | EOD, 2);
        arrived();

        client.expect("STOR /t/g", 125);
        two.blocks(bytes, 0, 50_000, 64 << 10).flags(EOD, 0);
        one.blocks(bytes, 50_000, 80_000, 64 << 10).flags(EOF | EOD, 2);

        assertThat(client.end()).startsWith("226");
        assertThat(ftp.spool.content("t", "g")).hasSize(80_000).startsWith(bytes[0], bytes[1]);
    }

    @Test
    void nextFileMayBeOnTheWireBeforeItsCommand() throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 1);
        one.blocks(bytes, 0, 50_000, 64 << 10).flags(EOF | EOD, 1);
        arrived();

        client.expect("STOR /t/g", 125);
        assertThat(client.end()).startsWith("226");
        assertThat(ftp.spool.content("t", "g")).hasSize(50_000);
    }

    @Test
    void cachedConnectionThatTheClientClosedIsForgotten() throws Exception {
        BlockStream one = connect();
        BlockStream two = connect();
        store();
        one.blocks(bytes, 0, 100_000, 64 << 10).flags(EOD, 0);
        two.blocks(bytes, 100_000, bytes.length, 64 << 10).flags(EOF | EOD, 2);
        arrived();
        one.close();

        client.send("STOR /t/g");
        assertThat(client.reply()).startsWith("1");
        two.blocks(bytes, 0, 80_000, 64 << 10).flags(EOF | EOD, 1);

        assertThat(client.end()).startsWith("226");
    }

    @ParameterizedTest
    @ValueSource(strings = {"MODE S", "EPSV", "PORT 127,0,0,1,200,200"})
    void newWayForDataClosesCachedConnections(String command) throws Exception {
        BlockStream one = begin();
        one.blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 1);
        arrived();

        client.ok(command);

        assertThat(one.socket().getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void stripesLargerThanAllBuffersArriveByParking() throws Exception {
        byte[] file = RandomBytes.of(16 * 20 * FtpFixture.FRAGMENT_BYTES);
        int stripe = file.length / 16;
        List<BlockStream> all = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            all.add(connect());
        }
        store();
        // One thread that goes round: it is stuck for ever if any connection is.
        for (int at = 0; at < stripe; at += 40_000) {
            for (int i = 0; i < 16; i++) {
                all.get(i).block(0, file, i * stripe + at, i * stripe + Math.min(stripe, at + 40_000));
            }
        }
        for (int i = 0; i < 16; i++) {
            all.get(i).flags(i == 5 ? EOF | EOD : EOD, 16);
        }

        assertThat(client.end()).startsWith("226");
        assertThat(ftp.spool.content("t", "f")).isEqualTo(file);
    }

    @Test
    void beginningsOfManyFragmentsAreParkedUntilTheirEndsCome() throws Exception {
        int fragment = FtpFixture.FRAGMENT_BYTES;
        byte[] file = RandomBytes.of(64 * fragment);
        BlockStream one = begin();
        for (int i = 0; i < 64; i++) {
            one.block(0, file, i * fragment, i * fragment + 100);
        }
        for (int i = 63; i >= 0; i--) {
            one.block(0, file, i * fragment + 100, (i + 1) * fragment);
        }
        one.flags(EOF | EOD, 1);

        assertThat(client.end()).startsWith("226");
        assertThat(ftp.spool.content("t", "f")).isEqualTo(file);
    }

    @Test
    void clientIsHeldBackWhileTheDiskTakesNothing() throws Exception {
        ftp.spool.hold(Lane.CONTENT);
        BlockStream one = begin();
        byte[] much = new byte[64 << 20];
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
            try {
                one.blocks(much, 0, much.length, 1 << 20);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        await().until(() -> ftp.pool.available() == BUFFERS / 4);
        for (int i = 0; i < 2 * BUFFERS; i++) { // the chances to read on, which must not be taken
            client.awaitTurn();
        }

        assertThat(sent).isNotDone();
        assertThat(ftp.pool.available()).isEqualTo(BUFFERS / 4);
        client.send("ABOR");
        assertThat(client.end()).startsWith("426");
        client.expect(226);
        ftp.spool.release();
        await().until(sent::isDone);
    }

    @Test
    void uploadThatBrokeOffGoesOnWithWhatTheMarkersLeaveOut() throws Exception {
        int fragment = FtpFixture.FRAGMENT_BYTES;
        BlockStream one = begin();
        one.block(0, bytes, 0, fragment).block(0, bytes, 2 * fragment, 3 * fragment);
        await().until(() -> ftp.spool.all().get(0).durableBytes() >= 2L * fragment);
        one.close();
        assertThat(client.end()).startsWith("426");
        port = client.passivePort();
        client.expect("REST 0-" + fragment + "," + 2 * fragment + "-" + 3 * fragment, 350);
        BlockStream again = connect();

        store();
        again.block(0, bytes, fragment, 2 * fragment).block(0, bytes, 3 * fragment, bytes.length);
        again.flags(EOF | EOD, 1);

        arrived();
        assertThat(ftp.spool.all()).hasSize(1);
    }

    @Test
    void restartWithRangesThatAreNotHereIsRefused() throws Exception {
        int fragment = FtpFixture.FRAGMENT_BYTES;
        BlockStream one = begin();
        one.block(0, bytes, 0, fragment);
        await().until(() -> ftp.spool.all().get(0).durableBytes() >= fragment);
        one.close();
        assertThat(client.end()).startsWith("426");
        port = client.passivePort();
        client.expect("REST 0-" + 2 * fragment, 350);

        client.expect("STOR /t/f", 554);
    }

    @Test
    void estoFromZeroBeginsAFileThatIsNotThereAndElsewhereGoesOn() throws Exception {
        ftp.remote.connect();
        int fragment = FtpFixture.FRAGMENT_BYTES;
        BlockStream one = connect();
        client.expect("ESTO A 0 /t/f", 150);
        one.block(0, bytes, 0, fragment);
        await().until(() -> ftp.spool.all().get(0).durableBytes() >= fragment);
        one.close();
        assertThat(client.end()).startsWith("426");

        port = client.passivePort();
        BlockStream two = connect();
        client.expect("ESTO A " + fragment + " /t/f", 150);
        byte[] rest = java.util.Arrays.copyOfRange(bytes, fragment, bytes.length);
        two.block(0, rest, 0, rest.length).flags(EOF | EOD, 1);

        arrived();
    }

    @Test
    void addressComesWithTheTransferCommandWhenPasvIsDelayed() throws Exception {
        client.ok("OPTS PASV AllowDelayed=1;");
        assertThat(client.ok("PASV")).startsWith("200");
        String reply = client.expect("STOR /t/f", 127);
        client.expect(150);
        String[] numbers =
                reply.substring(reply.indexOf('(') + 1, reply.indexOf(')')).split(",");
        port = Integer.parseInt(numbers[4]) * 256 + Integer.parseInt(numbers[5]);
        connect().blocks(bytes, 0, bytes.length, 64 << 10).flags(EOF | EOD, 1);

        arrived();
    }

    @Test
    void stripedPassiveHasOneAddress() throws Exception {
        assertThat(client.ok("SPAS")).matches("229-[^\n]*\n 127,0,0,1,\\d+,\\d+\n229 End");
        client.ok("MODE S");
        client.expect("SPAS", 503);
    }

    @Test
    void transferWithoutAPortIsRefused() throws Exception {
        client.ok("MODE S");
        client.ok("MODE E");

        client.expect("STOR /t/f", 425);
    }

    @Test
    void authenticationOfDataConnectionsIsRefused() throws Exception {
        client.ok("DCAU N");
        client.expect("DCAU A", 504);
        client.expect("DCAU S /CN=x", 504);
    }
}
