package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of a path while one of two far ends has yet to make its rename. The far end of the fixture is "a", the other one is "b". */
class HalfMadeRenamesTest extends OnUsualFtpServer {
    private static final byte[] OLD = "the old one\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW = "new\n".getBytes(StandardCharsets.US_ASCII);

    @BeforeEach
    void prepare() throws Exception {
        ftp.remote.connect();
    }

    private void refusedListing(String path) throws IOException {
        client.passivePort();
        client.expect("NLST " + path, 451, "being renamed");
    }

    /** A rename that both far ends are to make and neither has made. */
    private TransferKey rename(String from, String to) throws IOException {
        int known = ftp.spool.all().size();
        client.expect("RNFR /site-b/" + from, 350);
        client.send("RNTO /site-b/" + to);
        await().until(() -> ftp.spool.all().size() == known + 1);
        List<TransferSnapshot> all = ftp.spool.all();
        TransferSnapshot sent = all.get(all.size() - 1);
        assertThat(sent.manifest().kind()).isEqualTo(TransferKind.RENAME);
        ftp.spool.brokered(sent.key(), "a", "b");
        client.expect("ABOR", 450);
        client.expect(226);
        return sent.key();
    }

    private void made(TransferKey rename, String subscription) {
        ftp.spool.receipt(rename, subscription, ReceiptStatus.DELIVERED, "");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void fileIsFoundByItsNewNameWhenAnotherHasTheOldOne() throws Exception {
        ftp.remote.file("log", OLD);
        TransferKey rename = rename("log", "log.1");
        client.upload("STOR /site-b/log", NEW);
        for (String command : List.of("SIZE", "MLST", "XMD5", "RETR")) {
            client.passivePort();
            client.expect(command + " /site-b/log.1", 451, "being renamed");
        }
        refusedListing("/site-b");

        ftp.remote.remove("log");
        ftp.remote.file("log.1", OLD).file("log", NEW);
        made(rename, "a");

        assertThat(client.ok("SIZE /site-b/log.1")).isEqualTo("213 " + OLD.length);
        assertThat(client.ok("XMD5 /site-b/log.1")).isEqualTo("250 bc3a94c9e0ac008698ce0dde185ee6a0");
        assertThat(client.text("RETR /site-b/log.1")).isEqualTo("the old one\n");
        assertThat(client.text("MLSD /site-b")).containsPattern("Size=" + OLD.length + ";.* log\\.1\r\n");
        assertThat(client.ok("SIZE /site-b/log")).isEqualTo("213 " + NEW.length);

        ftp.remote.remove("log.1");
        client.expect("SIZE /site-b/log.1", 451, "being renamed");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void renamedDirectoryIsListedWholeWhateverIsAtItsOldName() throws Exception {
        ftp.remote.file("d/f", OLD);
        TransferKey rename = rename("d", "d.old");
        assertThat(client.text("NLST /site-b/d.old")).isEqualTo("f\r\n");

        ftp.remote.remove("d/f");
        ftp.remote.remove("d");
        ftp.remote.file("d.old/f", OLD);
        assertThat(client.text("NLST /site-b/d.old"))
                .as("the receipt has not come yet")
                .isEqualTo("f\r\n");
        made(rename, "a");
        assertThat(client.text("NLST /site-b/d.old")).isEqualTo("f\r\n");
        client.upload("STOR /site-b/d.old/more", NEW);
        assertThat(client.text("NLST /site-b/d.old")).isEqualTo("f\r\nmore\r\n");

        client.upload("STOR /site-b/d/new", NEW);
        ftp.remote.file("d/new", NEW);
        assertThat(client.text("NLST /site-b/d.old")).isEqualTo("f\r\nmore\r\n");
        ftp.remote.remove("d.old");
        refusedListing("/site-b/d.old");
    }

    /** The receipt is from the far end that does not answer. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void farEndThatHasNotMadeTheRenameIsAskedForTheOldName() throws Exception {
        ftp.remote.file("d/f", OLD).file("log", OLD);
        made(rename("d", "d.old"), "b");
        made(rename("log", "log.1"), "b");

        assertThat(client.text("NLST /site-b/d.old")).isEqualTo("f\r\n");
        assertThat(client.text("RETR /site-b/log.1")).isEqualTo("the old one\n");

        ftp.remote.directory("d.old").file("log.1", NEW);
        refusedListing("/site-b/d.old");
        client.expect("SIZE /site-b/log.1", 451, "being renamed");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void farEndThatHasMadeOneOfTwoRenamesIsAskedForTheNameBetweenThem() throws Exception {
        ftp.remote.file("d/f", OLD);
        TransferKey first = rename("d", "e");
        rename("e", "g");
        ftp.remote.remove("d/f");
        ftp.remote.remove("d");
        ftp.remote.file("e/f", OLD);
        made(first, "a");

        assertThat(client.text("NLST /site-b/g")).isEqualTo("f\r\n");
        assertThat(client.text("RETR /site-b/g/f")).isEqualTo("the old one\n");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void changeOfAPathThatIsRenamedTwiceFindsItByTheNameThatItHas() throws Exception {
        ftp.remote.file("a", OLD);
        rename("a", "b");
        rename("b", "c");
        ftp.remote.remove("a");
        ftp.remote.file("b", OLD);

        client.expect("RNFR /site-b/c", 350);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void changeOfARenamedPathIsRefusedWhileAnotherHasItsOldName() throws Exception {
        ftp.remote.file("log", OLD);
        rename("log", "log.1");
        client.upload("STOR /site-b/log", NEW);

        client.expect("RNFR /site-b/log.1", 450, "being renamed");
    }
}
