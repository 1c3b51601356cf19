package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.store.spool.SpoolConfig;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RETR of what is at the far end, and of what is on its way there. */
class DownloadTest extends OnFtpServer {

    @BeforeEach
    void start() throws Exception {
        start(SpoolRig.config());
    }

    private void start(SpoolConfig spool) throws Exception {
        start(FtpFixture.start(config -> config, spool));
        ftp.remote.connect();
    }

    private byte[] retrieve(String name) throws IOException {
        try (Socket data = client.begin("RETR " + name)) {
            byte[] bytes = data.getInputStream().readAllBytes();
            assertThat(client.expect(226)).isEqualTo("226 Transfer complete.");
            return bytes;
        }
    }

    /** Waits until STAT, which is answered in the middle of a transfer, has that in its reply. */
    private void awaitStatus(String text) {
        await().untilAsserted(() -> {
            client.expect("STAT", 211, text);
        });
    }

    @Test
    void filesOfAllSizesArriveWhole() throws Exception {
        for (int length : new int[] {
            0, 1, FtpFixture.FRAGMENT_BYTES - 1, FtpFixture.FRAGMENT_BYTES, FtpFixture.FRAGMENT_BYTES + 1, 3_000_001
        }) {
            byte[] bytes = RandomBytes.of(length);
            ftp.remote.file("d/f" + length, bytes);

            assertThat(retrieve("/site-b/d/f" + length)).isEqualTo(bytes);
        }
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    @Test
    void restGoesOnWhereItSays() throws Exception {
        byte[] bytes = RandomBytes.of(300_000);
        ftp.remote.file("f", bytes);

        client.expect("REST 123456", 350);
        assertThat(retrieve("/site-b/f")).isEqualTo(Arrays.copyOfRange(bytes, 123_456, 300_000));
        assertThat(retrieve("/site-b/f")).isEqualTo(bytes);
        client.expect("REST 300000", 350);
        assertThat(retrieve("/site-b/f")).isEmpty();
        client.expect("REST 300001", 350);
        client.expect("RETR /site-b/f", 554, "it has only 300000 bytes");
        client.expect("RANG 100 199", 350);
        assertThat(retrieve("/site-b/f")).isEqualTo(Arrays.copyOfRange(bytes, 100, 200));
    }

    @Test
    void textsGetTheLineEndsOfTheWire() throws Exception {
        ftp.remote.file("t", "one\ntwo\n\nthree".getBytes(StandardCharsets.US_ASCII));
        client.ok("TYPE A");

        assertThat(retrieve("/site-b/t")).asString(StandardCharsets.US_ASCII).isEqualTo("one\r\ntwo\r\n\r\nthree");
    }

    @Test
    void whatCannotBeReadIsRefusedInPosixWords() throws Exception {
        ftp.remote.directory("d");
        client.passive().close();

        client.expect("RETR /site-b/none", 550, "/site-b/none: No such file or directory");
        client.expect("RETR /site-b/d", 550, "Is a directory");
        client.expect("RETR /site-b", 550, "Is a directory");
        ftp.remote.disconnect();
        client.expect("RETR /site-b/other", 451, "the far end is not connected; try again later");
    }

    @Test
    void aFileThatIsOnItsWayIsReadFromItsCopy() throws Exception {
        ftp.remote.disconnect();
        byte[] bytes = RandomBytes.of(200_000);
        client.upload("STOR /site-b/in/f", bytes);

        assertThat(retrieve("/site-b/in/f")).isEqualTo(bytes);
        client.expect("REST 70000", 350);
        assertThat(retrieve("/site-b/in/f")).isEqualTo(Arrays.copyOfRange(bytes, 70_000, 200_000));
    }

    @Test
    void aFileWhoseCopyIsGoneIsWaitedForAndThenReadAtTheFarEdge() throws Exception {
        start(SpoolRig.config().withKeepUntilDelivered(false));
        byte[] bytes = RandomBytes.of(1000);
        client.upload("STOR /site-b/f", bytes);
        ftp.spool.brokered(ftp.spool.newest().key(), "site-b");
        client.passivePort();
        client.expect("RETR /site-b/f", 450, "on its way to the far end");
        ftp.remote.file("f", bytes);
        ftp.spool.finishAll();

        assertThat(retrieve("/site-b/f")).isEqualTo(bytes);
    }

    @Test
    void anUploadThatIsNotCompleteIsNeverAnsweredAsMissing() throws Exception {
        try (RawFtp other = RawFtp.login(ftp.port);
                Socket data = other.begin("STOR /site-b/f")) {
            data.getOutputStream().write(1);
            client.expect("MLST /site-b/f", 450, "its upload is not complete");
            client.passivePort();
            client.expect("RETR /site-b/f", 450, "its upload is not complete");
        }
    }

    @Test
    void aDownloadStallsWhileTheFarEdgeIsAwayAndGoesOn() throws Exception {
        byte[] bytes = RandomBytes.of(5_000_000);
        ftp.remote.file("f", bytes);
        ftp.remote.hold();
        try (Socket data = client.begin("RETR /site-b/f")) {
            awaitStatus("Downloading /site-b/f: 0 bytes sent, waiting for the source");
            ftp.remote.disconnect();
            ftp.remote.goOn();
            client.awaitTurn(); // the far end was asked again, and is away
            awaitStatus("Downloading /site-b/f: 0 bytes sent, waiting for the source");
            ftp.remote.connect();
            assertThat(data.getInputStream().readAllBytes()).isEqualTo(bytes);
            client.expect(226);
        }
    }

    @Test
    void aFileThatChangesInMidDownloadIsNeverMixed() throws Exception {
        byte[] old = RandomBytes.of(8_000_000);
        ftp.remote.file("f", old);
        try (Socket data = client.begin("RETR /site-b/f")) {
            byte[] first = data.getInputStream().readNBytes(100_000);
            ftp.remote.file("f", new byte[8_000_000]);

            assertThat(first).isEqualTo(Arrays.copyOf(old, 100_000));
            client.send("NOOP");
            int came = readUntilReset(data, old, first.length);
            assertThat(came).isLessThan(old.length);
            assertThat(client.expect(451)).contains("changed");
        }
        client.expect(200);
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    private static int readUntilReset(Socket data, byte[] expected, int from) {
        int position = from;
        try {
            int next = data.getInputStream().read();
            while (next >= 0) {
                assertThat((byte) next).isEqualTo(expected[position]);
                position++;
                next = data.getInputStream().read();
            }
        } catch (IOException reset) {
            return position;
        }
        return position;
    }

    @Test
    void aborEndsADownloadAndTheSessionStays() throws Exception {
        ftp.remote.file("f", RandomBytes.of(50_000_000));
        try (Socket data = client.begin("RETR /site-b/f")) {
            data.getInputStream().readNBytes(1000);
            awaitStatus(" bytes sent, waiting for the client to read");
            client.abort();
        }
        ftp.remote.file("g", RandomBytes.of(10));
        assertThat(retrieve("/site-b/g")).hasSize(10);
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    @Test
    void aClientThatClosesItsDataConnectionGets426AndTheSessionStays() throws Exception {
        ftp.remote.file("f", RandomBytes.of(50_000_000));
        try (Socket data = client.begin("RETR /site-b/f")) {
            data.getInputStream().readNBytes(1000);
        }
        client.expect(426);
        client.ok("NOOP");
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    @Test
    void clientsThatNeverReadHarmNoOther() throws Exception {
        ftp.remote.file("big", RandomBytes.of(50_000_000));
        byte[] bytes = RandomBytes.of(1_000_000);
        ftp.remote.file("f", bytes);
        List<RawFtp> idle = new ArrayList<>();
        for (int i = 0; i < 2 * DownloadService.FAR_BLOCKS; i++) {
            RawFtp other = RawFtp.login(ftp.port);
            idle.add(other);
            other.ok("TYPE I");
            other.passive();
            other.expect("RETR /site-b/big", 150);
        }

        assertThat(retrieve("/site-b/f")).isEqualTo(bytes);
        for (RawFtp other : idle) {
            other.close();
        }
        await().until(() -> ftp.remote.buffersOut() == 0);
    }

    @Test
    void aClientThatReadsAgainAfterItsBlocksWereGivenBackGetsTheRest() throws Exception {
        byte[] bytes = RandomBytes.of(20_000_000);
        ftp.remote.file("f", bytes);
        List<RawFtp> others = new ArrayList<>();
        try (Socket data = client.begin("RETR /site-b/f")) {
            await().until(() -> ftp.remote.buffersOut() > 0);
            for (int i = 0; i < 2 * DownloadService.FAR_BLOCKS; i++) {
                RawFtp other = RawFtp.login(ftp.port);
                others.add(other);
                other.ok("TYPE I");
                other.passive();
                other.expect("RETR /site-b/f", 150);
            }
            awaitStatus("waiting for the client to read (others have its memory meanwhile)");

            assertThat(data.getInputStream().readAllBytes()).isEqualTo(bytes);
            client.expect(226);
        }
        for (RawFtp other : others) {
            other.close();
        }
    }

    @Test
    void aClientThatHasClosedItsOwnDirectionStillGetsEverything() throws Exception {
        byte[] bytes = RandomBytes.of(20_000_000);
        ftp.remote.file("f", bytes);
        try (Socket data = client.passive()) {
            data.shutdownOutput();
            client.expect("RETR /site-b/f", 150);
            awaitStatus(
                    " bytes sent, waiting for the client to read"); // the FIN was seen before the first byte is read
            assertThat(data.getInputStream().readAllBytes()).isEqualTo(bytes);
            client.expect(226);
        }
    }
}
