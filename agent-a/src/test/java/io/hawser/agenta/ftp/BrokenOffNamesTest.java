package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of an upload that broke off: the same by each command to its account, and nothing to others. */
class BrokenOffNamesTest extends OnFtpServer {
    private static final String SIZE = "100000";

    @SuppressWarnings("NullAway.Init") // start() comes before each test
    private RawFtp owner;

    @SuppressWarnings("NullAway.Init") // start() comes before each test
    private RawFtp other;

    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.start(config -> config.withAnyAccount());
        ftp.remote.connect().file("d/old", new byte[10]);
        owner = login("anna");
        other = login("berta");
    }

    @AfterEach
    void end() throws Exception {
        owner.close();
        other.close();
    }

    private RawFtp login(String name) throws Exception {
        return RawFtp.login(ftp.port, name);
    }

    private void breakOff(String path, String with) throws Exception {
        breakOff(path, with, Integer.parseInt(SIZE));
    }

    private void breakOff(String path, String with, int length) throws Exception {
        try (RawFtp client = login("anna")) {
            Socket data = client.begin(with + path);
            data.getOutputStream().write(new byte[length]);
            client.awaitReceived(length);
            data.setSoLinger(true, 0);
            client.abort();
            data.close();
        }
        await().until(() -> ftp.spool.all().stream().anyMatch(t -> t.phase() == SpoolPhase.INCOMPLETE));
    }

    @Test
    void sizeTimeFactsAndListingsAgree() throws Exception {
        breakOff("/site-b/d/f", "STOR ");

        String size = owner.ok("SIZE /site-b/d/f").substring(4);
        String time = owner.ok("MDTM /site-b/d/f").substring(4);
        assertThat(owner.ok("MLST /site-b/d/f")).contains("Size=" + size + ";").contains("Modify=" + time + ";");
        assertThat(owner.text("MLSD /site-b/d"))
                .contains("Size=" + size + ";Modify=" + time + ";")
                .contains(" f\r\n")
                .contains(" old\r\n");
        assertThat(owner.text("LIST /site-b/d")).contains(" " + size + " ");
        assertThat(owner.text("NLST /site-b/d/f")).isEqualTo("f\r\n");
        assertThat(owner.ok("STAT /site-b/d")).contains(" " + size + " ");
    }

    private Socket sendText(RawFtp client, String path) throws Exception {
        client.ok("TYPE A");
        Socket data = client.begin("STOR " + path);
        data.getOutputStream().write("line\r\n".repeat(20_000).getBytes(StandardCharsets.US_ASCII));
        client.awaitReceived(100_000);
        return data;
    }

    /** A position in what was sent is another one in what was stored. */
    @Test
    void aTextThatBreaksOffIsDropped() throws Exception {
        Socket data = sendText(owner, "/site-b/d/text");
        owner.abort();
        data.close();

        assertThat(ftp.spool.all()).extracting(TransferSnapshot::phase).containsExactly(SpoolPhase.CANCELLED);
        owner.ok("TYPE I");
        owner.expect("SIZE /site-b/d/text", 550);
        owner.passivePort();
        owner.expect("REST 50000", 350);
        owner.expect("STOR /site-b/d/text", 550, "no upload of this name broke off");
    }

    /** The crash leaves no time to drop it. */
    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aTextThatACrashBreaksOffIsNotContinued() throws Exception {
        Socket data = sendText(owner, "/site-b/d/text");
        assertThat(data.isConnected()).isTrue();
        await().until(() -> ftp.spool.newest().durableBytes() > 1);
        ftp = ftp.crash();
        ftp.remote.connect();
        owner = login("anna");

        owner.expect("SIZE /site-b/d/text", 550, "");
        for (String position : List.of("REST 50000\r\nSTOR", "APPE")) {
            owner.passivePort();
            owner.send(position + " /site-b/d/text");
            if (position.startsWith("REST")) {
                owner.expect(350);
            }
            assertThat(owner.expect(550)).contains("in TYPE A that broke off cannot be continued");
        }
        owner.ok("MODE E");
        owner.passivePort();
        owner.expect("ESTO A 50000 /site-b/d/text", 550, "in TYPE A that broke off cannot be continued");
        owner.ok("MODE S");
        owner.upload("STOR /site-b/d/text", new byte[] {7});
        assertThat(ftp.spool.content("site-b", "d/text")).containsExactly(7);
    }

    @Test
    void othersAreToldNothing() throws Exception {
        breakOff("/site-b/d/f", "STOR ");

        for (String command : new String[] {"SIZE", "MDTM", "MLST", "CKSM MD5 0 -1"}) {
            other.expect(command + " /site-b/d/f", 550, "No such file or directory");
        }
        other.passivePort();
        other.expect("RETR /site-b/d/f", 550, "No such file or directory");
        assertThat(other.text("NLST /site-b/d")).isEqualTo("old\r\n");
        owner.passivePort();
        owner.expect("RETR /site-b/d/f", 450, "not complete");
    }

    @Test
    void whatIsComingInIsNobodysBusiness() throws Exception {
        try (RawFtp client = login("anna");
                Socket data = client.begin("STOR /site-b/d/f")) {
            data.getOutputStream().write(1);
            other.expect("MDTM /site-b/d/f", 550);
            owner.expect("MDTM /site-b/d/f", 450);
            owner.expect("SIZE /site-b/d/f", 450);
        }
    }

    @Test
    void olderFileOfTheFarEndIsWhatOthersSee() throws Exception {
        breakOff("/site-b/d/old", "STOR ");

        assertThat(other.ok("SIZE /site-b/d/old")).isEqualTo("213 10");
        assertThat(other.text("MLSD /site-b/d")).contains("Size=10;");
        String size = owner.ok("SIZE /site-b/d/old").substring(4);
        assertThat(size).isNotEqualTo("10");
        assertThat(owner.ok("MLST /site-b/d/old")).contains("Size=" + size + ";");
        assertThat(owner.text("MLSD /site-b/d")).contains("Size=" + size + ";").doesNotContain("Size=10;");
    }

    /**
     * It would be told that it has 0 bytes, which is all that an empty file has; and what stands there is another file. Clients that go on
     * behind the size that they are told (curl -C -, lftp put -c) made one file of the beginning of the old one and the end of theirs.
     */
    @Test
    void whatHadHardlyBegunIsAsIfItHadNot() throws Exception {
        breakOff("/site-b/d/old", "STOR ", 1);
        for (String command : List.of("SIZE", "MDTM", "MLST")) {
            owner.expect(command + " /site-b/d/old", 450, "upload the file from its beginning");
            other.ok(command + " /site-b/d/old");
        }
        assertThat(owner.text("MLSD /site-b/d")).contains("Size=10;");
        owner.upload("APPE /site-b/d/old", new byte[] {1});
        assertThat(ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.PATCH);

        breakOff("/site-b/d/new", "STOR ", 1);
        for (String command : List.of("SIZE", "MDTM", "MLST")) {
            owner.expect(command + " /site-b/d/new", 550, "No such file or directory");
        }
        owner.passivePort();
        owner.expect("REST 1\r\nSTOR /site-b/d/new", 350);
        owner.expect(550);
        owner.upload("APPE /site-b/d/new", new byte[] {7});
        assertThat(ftp.spool.content("site-b", "d/new")).containsExactly(7);
    }
}
