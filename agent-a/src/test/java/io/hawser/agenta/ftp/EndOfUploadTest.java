package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An upload is committed only on evidence that it ended (design section 8), and goes on where it broke off. */
class EndOfUploadTest extends OnUsualFtpServer {
    private static final Duration LONG_WINDOW = Duration.ofSeconds(30);

    private final byte[] bytes = RandomBytes.of(200_000);

    @Override
    protected FtpFixture server() throws Exception {
        return FtpFixture.start(config -> config.withEvidenceWindow(LONG_WINDOW));
    }

    private Socket store(String command, int from, int to) throws IOException {
        Socket data = client.begin(command);
        data.getOutputStream().write(bytes, from, to - from);
        return data;
    }

    private void abandonWhenReceived(int length) throws IOException {
        Socket data = store("STOR /t/f", 0, length);
        client.awaitReceived(length);
        client.abandon(data);
    }

    private List<TransferSnapshot> in(SpoolPhase phase) {
        return ftp.spool.all().stream().filter(t -> t.phase() == phase).toList();
    }

    @Test
    void controlConnectionThatDiesWithTheDataLeavesAnIncompleteUpload() throws Exception {
        abandonWhenReceived(bytes.length);

        await().until(() -> in(SpoolPhase.INCOMPLETE).size() == 1);
        assertThat(ftp.spool.content("t", "f")).isNull();
    }

    @Test
    void controlConnectionThatDiesShortlyAfterTheDataLeavesAnIncompleteUpload() throws Exception {
        Socket data = store("STOR /t/f", 0, bytes.length);
        data.close();
        await().until(() -> ftp.spool.all().get(0).durableBytes() == bytes.length);

        client.close();

        await().until(() -> in(SpoolPhase.INCOMPLETE).size() == 1);
        assertThat(ftp.spool.content("t", "f")).isNull();
    }

    @Test
    void resetOfTheControlConnectionIsNoEvidenceEither() throws Exception {
        Socket data = store("STOR /t/f", 0, bytes.length);
        data.close();
        await().until(() -> ftp.spool.all().get(0).durableBytes() == bytes.length);

        client.socket().setSoLinger(true, 0);
        client.close();

        await().until(() -> in(SpoolPhase.INCOMPLETE).size() == 1);
    }

    @Test
    void resetOfTheDataConnectionLeavesAnIncompleteUploadAndIsReplied426() throws Exception {
        Socket data = store("STOR /t/f", 0, bytes.length);
        await().until(() -> ftp.spool.all().get(0).durableBytes() > 2 * FtpFixture.FRAGMENT_BYTES);

        data.setSoLinger(true, 0);
        data.close();

        client.expect(426);
        assertThat(in(SpoolPhase.INCOMPLETE)).hasSize(1);
        client.ok("NOOP");
    }

    @Test
    void alloExactlyReachedNeedsNoWindow() throws Exception {
        client.ok("ALLO " + bytes.length);

        store("STOR /t/f", 0, bytes.length).close();

        assertThat(client.expect(226)).contains("Transfer").contains("spooled.");
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @Test
    void alloNotReachedIsNoEvidence() throws Exception {
        client.ok("ALLO " + bytes.length);

        abandonWhenReceived(bytes.length - 1);

        await().until(() -> in(SpoolPhase.INCOMPLETE).size() == 1);
    }

    @Test
    void alloOfARefusedUploadIsNoEvidenceForTheNextOne() throws Exception {
        client.ok("ALLO " + bytes.length);
        client.expect("STOR /t/", 553);

        abandonWhenReceived(bytes.length);

        await().until(() -> in(SpoolPhase.INCOMPLETE).size() == 1);
    }

    @Test
    void nextCommandIsEvidenceAndIsAnsweredAfterTheUpload() throws Exception {
        store("STOR /t/f", 0, bytes.length).close();
        await().until(() -> ftp.spool.all().get(0).durableBytes() == bytes.length);

        client.expect("NOOP", 226);
        client.expect(200);
    }

    @Test
    void commandThatCameBeforeTheEndOfTheDataIsNoEvidence() throws Exception {
        Socket data = store("STOR /t/f", 0, bytes.length);
        client.send("NOOP");
        await().until(() -> ftp.spool.all().get(0).durableBytes() > FtpFixture.FRAGMENT_BYTES);

        client.abandon(data);

        await().until(() -> in(SpoolPhase.INCOMPLETE).size() == 1);
    }

    @Test
    void aborEndsTheUploadAtOnce() throws Exception {
        Socket data = store("STOR /t/f", 0, bytes.length);
        client.awaitReceived(bytes.length);

        client.sendRaw(new byte[] {(byte) 0xFF, (byte) 0xF4, (byte) 0xFF, (byte) 0xF2, 'A', 'B', 'O', 'R', '\r', '\n'});

        client.expect(426);
        client.expect(226);
        assertThat(in(SpoolPhase.INCOMPLETE)).hasSize(1);
        data.close();
    }

    @Test
    void aborIsNoEvidenceThatTheUploadIsComplete() throws Exception {
        store("STOR /t/f", 0, bytes.length).close();
        await().until(() -> ftp.spool.all().get(0).durableBytes() == bytes.length);

        client.expect("ABOR", 426);
        client.expect(226);
        assertThat(in(SpoolPhase.INCOMPLETE)).hasSize(1);
    }

    @Test
    void uploadGoesOnInTheMiddleOfAFragment() throws Exception {
        store("STOR /t/f", 0, 100_000);
        client.awaitReceived(100_000);
        client.abort();
        String size = client.ok("SIZE /t/f").substring(4);

        client.expect("REST " + size, 350);
        client.ok("ALLO 1"); // proves nothing for an upload that goes on
        Socket second = store("STOR /t/f", Integer.parseInt(size), bytes.length);
        second.close();
        await().until(() -> ftp.spool.all().get(0).durableBytes() == bytes.length);
        client.expect("NOOP", 226);
        assertThat(Integer.parseInt(size)).isGreaterThan(FtpFixture.FRAGMENT_BYTES);
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    @Test
    void restBeyondTheEndIsRefused() throws Exception {
        breakOff(100_000);

        client.ok("EPSV");
        client.expect("REST 150000", 350);
        client.expect("STOR /t/f", 554);
    }

    @Test
    void sizeTellsWhereAnUploadGoesOnNotHowMuchOfItIsThere() throws Exception {
        int fragment = FtpFixture.FRAGMENT_BYTES;
        breakOffBlocks(client, "0-0", 0, 2 * fragment);

        assertThat(client.ok("SIZE /t/f")).isEqualTo("213 " + (fragment - 1));

        try (RawFtp other = RawFtp.login(ftp.port)) { // fills the gap
            other.ok("TYPE I");
            breakOffBlocks(other, "0-" + fragment + "," + 2 * fragment + "-" + 3 * fragment, fragment);
        }
        client.ok("MODE S");
        client.ok("EPSV");
        client.expect("APPE /t/f", 550, "the size has changed");
    }

    @Test
    void appendingToWhatTheFarEndMayHaveNeedsTheFarEnd() throws Exception {
        client.ok("EPSV");
        client.expect("APPE /t/other", 450, "the far end is not connected");
    }

    @Test
    void storWithoutRestSupersedesWhatBrokeOff() throws Exception {
        breakOff(100_000);
        client.ok("ALLO 50");

        store("STOR /t/f", 0, 50).close();

        client.expect(226);
        assertThat(ftp.spool.content("t", "f")).hasSize(50);
        assertThat(in(SpoolPhase.CANCELLED)).hasSize(1);
        assertThat(in(SpoolPhase.INCOMPLETE)).isEmpty();
    }

    @Test
    void secondUploadToAPathHasTheHigherNumberThoughItEndsFirst() throws Exception {
        Socket slow = store("STOR /t/f", 0, 100_000);
        try (RawFtp other = RawFtp.login(ftp.port)) {
            other.ok("ALLO 3");
            Socket data = other.begin("STOR /t/f");
            data.getOutputStream().write(new byte[] {1, 2, 3});
            data.close();
            other.expect(226);
        }
        slow.close();
        await().until(() -> ftp.spool.all().get(0).durableBytes() == 100_000);
        client.expect("NOOP", 226);
        List<TransferSnapshot> all = in(SpoolPhase.SPOOLED);
        assertThat(all).hasSize(2);
        assertThat(all.get(0).sizeBytes()).isEqualTo(100_000);
        assertThat(all.get(1).sizeBytes()).isEqualTo(3);
        assertThat(all.get(1).manifest().number())
                .isGreaterThan(all.get(0).manifest().number());
    }

    /** Sends the fragments at these positions, and breaks off. */
    private void breakOffBlocks(RawFtp session, String restart, int... positions) throws Exception {
        session.ok("MODE E");
        try (BlockStream stream = BlockStream.connect(session.passivePort())) {
            session.expect("REST " + restart, 350);
            session.expect("STOR /t/f", 150);
            for (int position : positions) {
                stream.block(0, bytes, position, position + FtpFixture.FRAGMENT_BYTES);
            }
        }
        assertThat(session.end()).startsWith("426");
    }

    private void breakOff(int length) throws Exception {
        Socket data = store("STOR /t/f", 0, length);
        client.awaitReceived(length);
        client.abort();
        data.close();
    }
}
