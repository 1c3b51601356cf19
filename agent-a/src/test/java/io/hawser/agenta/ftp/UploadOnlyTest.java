package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.NamesAfterTransfers;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Accounts that may neither list nor read: they change what they have uploaded, and are not told what else there is. */
class UploadOnlyTest extends OnUsualFtpServer {
    private static final String TIME = "MFMT 20200101000000 ";

    @SuppressWarnings("NullAway.Init") // start() comes before each test
    private RawFtp writer;

    @Override
    protected FtpFixture server() throws Exception {
        return FtpFixture.start(config -> config.withAccounts(Accounts.anonymous()
                .and(Accounts.of((name, password) -> Optional.of(new Account(
                        name,
                        FtpPath.ROOT,
                        name.equals("deleter") ? Set.of(Permission.WRITE, Permission.DELETE) : Set.of(Permission.WRITE),
                        null))))));
    }

    @BeforeEach
    void prepare() throws Exception {
        ftp.remote.connect().file("dir/file", new byte[10]).file("v", new byte[10]);
        writer = login("writer");
    }

    @AfterEach
    void end() throws Exception {
        writer.close();
    }

    private RawFtp login(String name) throws Exception {
        return RawFtp.login(ftp.port, name);
    }

    /** It can know no size: what it appends goes on where its upload really ends. */
    @Test
    void whoIsToldNoSizeAppendsAtTheTrueEnd() throws Exception {
        Socket data = writer.begin("STOR /t/records");
        data.getOutputStream().write("AAAA".getBytes(StandardCharsets.US_ASCII));
        writer.awaitReceived(4);
        writer.abandon(data);
        await().until(() -> ftp.spool.all().stream()
                .anyMatch(held -> held.phase() == SpoolPhase.INCOMPLETE && held.durableBytes() == 4));

        try (RawFtp again = login("writer")) {
            try (Socket rest = again.begin("APPE /t/records")) {
                rest.getOutputStream().write("AAAA".getBytes(StandardCharsets.US_ASCII));
            }
            again.expect(226);
        }
        assertThat(ftp.spool.content("t", "records")).asString().isEqualTo("AAAAAAAA");
    }

    @Test
    void aFarEdgeThatShowsNothingIsEnteredAsOneThatIsAway() throws Exception {
        ftp.remote.close();

        client.ok("CWD /t/in");
        upload(client, "STOR f");
    }

    private static void upload(RawFtp session, String command) throws Exception {
        session.upload(command, new byte[] {1});
    }

    /** Whether a directory, a file or nothing is above the name. */
    @Test
    void continuingWhatIsNotTheirsTellsThemNothing() throws Exception {
        for (String path : List.of("/t/nowhere/x", "/t/dir/file/x")) {
            writer.passive().close();
            writer.expect("REST 5", 350);
            writer.expect("STOR " + path, 550, "Permission denied: it cannot be continued there");
        }
    }

    /** As STOR does: the far end refuses it when it arrives. */
    @Test
    void appendingTellsThemNoneOfWhatIsThere() throws Exception {
        ftp.remote.link("link", "dir");
        for (String command : List.of("APPE ", "ESTO A 0 ", "ESTO A 5 ")) {
            for (String name : List.of("none", "v", "dir", "link", "dir/file/x")) {
                upload(writer, command + "/site-b/" + name);
                ftp.spool.finishAll();
            }
        }
    }

    @Test
    void appendingTellsThemOfNoDirectoryOnItsWay() throws Exception {
        for (String command : List.of("APPE ", "ESTO A 0 ", "ESTO A 5 ")) {
            client.ok("MKD /site-b/on-its-way");
            upload(writer, command + "/site-b/on-its-way");
            ftp.spool.finishAll();
        }
    }

    /** What is appended where a directory is does not replace a file that is there when it arrives. */
    @Test
    void whatTheyAppendToADirectoryReplacesNoFile() throws Exception {
        upload(writer, "APPE /site-b/dir");
        assertThat(ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.PATCH);
        assertThat(ftp.spool.newest().manifest().attributes()).containsEntry(Attributes.BASE_SIZE, Attributes.NO_BASE);
    }

    private static void assertDenied(RawFtp session, String command, String path) throws Exception {
        session.send(command + path);
        assertThat(session.reply()).as(command + path).isEqualTo("550 " + path + ": Permission denied");
    }

    @Test
    void timesAndModesOfOthersAreNotTheirsAndTellNothing() throws Exception {
        upload(client, "STOR /site-b/theirs");
        upload(client, "STOR /site-b/delivered");
        for (String name : List.of("v", "none", "dir", "theirs", "delivered", "dir/file/x")) {
            for (String command : List.of(TIME, "SITE CHMOD 600 ", "SITE UTIME 20200101000000 ", "RNFR ")) {
                assertDenied(writer, command, "/site-b/" + name);
            }
        }
    }

    @Test
    void changingWhatIsThereMakesItNotTheirs() throws Exception {
        upload(client, "STOR /site-b/theirs");
        ftp.spool.finishAll();
        upload(writer, "APPE /site-b/v");
        writer.ok("MKD /site-b/dir");
        for (int i = 0; i < 2; i++) {
            for (String name : List.of("v", "dir", "theirs")) {
                assertDenied(writer, "RNFR ", "/site-b/" + name);
            }
            ftp.spool.finishAll();
        }
        upload(writer, "STOR /site-b/mine");
        upload(client, "STOR /site-b/mine");
        assertDenied(writer, "RNFR ", "/site-b/mine");
        ftp.spool.finishAll();
        assertDenied(writer, "RNFR ", "/site-b/mine");
    }

    @Test
    void whatTheyUploadedIsTheirsWhateverTheyChangeOfIt() throws Exception {
        upload(writer, "STOR /site-b/x.tmp");
        writer.ok(TIME + "/site-b/x.tmp");
        writer.ok("SITE CHMOD 600 /site-b/x.tmp");
        writer.rename("/site-b/x.tmp", "/site-b/x");
        assertDenied(writer, "RNFR ", "/site-b/x.tmp");
        for (int i = 0; i < 3; i++) {
            ftp.spool.finishAll();
            writer.ok(TIME + "/site-b/x");
            writer.expect("RNFR /site-b/x", 350);
        }
        upload(writer, "STOR /site-b/y");
        client.ok("DELE /site-b/y");
        assertDenied(writer, "RNFR ", "/site-b/y");
        ftp.spool.finishAll();
        assertDenied(writer, "RNFR ", "/site-b/y");
    }

    private void rename(String from, String to) throws Exception {
        ftp.remote.directory(from);
        client.expect("RNFR /site-b/" + from, 350);
        client.send("RNTO /site-b/" + to);
        await().until(() ->
                NamesAfterTransfers.renamedTo(ftp.spool.newest().manifest()).equals(to));
        ftp.spool.receipt(ftp.spool.newest().key(), "site-b", ReceiptStatus.DELIVERED, "");
        client.expect(250);
    }

    /** The last transfer of exactly that name was looked at, whatever had become of the directories above it. */
    @Test
    void whatIsTheirsGoesWithTheDirectoriesThatItIsIn() throws Exception {
        upload(writer, "STOR /site-b/in/mine/f");
        upload(client, "STOR /site-b/theirs/f");
        upload(client, "STOR /site-b/old/f");
        ftp.spool.finishAll();
        writer.ok(TIME + "/site-b/in/mine/f");
        ftp.spool.finishAll();

        rename("in/mine", "in/moved");
        rename("theirs", "in/mine");
        assertDenied(writer, "RNFR ", "/site-b/in/mine/f");
        assertDenied(writer, TIME, "/site-b/in/mine/f");
        writer.ok(TIME + "/site-b/in/moved/f");

        rename("old", "older");
        rename("in/moved", "old");
        writer.ok(TIME + "/site-b/old/f");
        assertDenied(writer, TIME, "/site-b/older/f");
        assertDenied(writer, TIME, "/site-b/in/moved/f");
    }

    @Test
    void directoriesOfOthersDoNotRefuseAnUploadEarly() throws Exception {
        client.ok("MKD /site-b/secret");
        upload(writer, "STOR /site-b/secret");
        ftp.spool.finishAll();
        ftp.remote.directory("secret");
        upload(writer, "STOR /site-b/secret");
    }

    @Test
    void whoMayDeleteIsToldTheSameOfAllThatIsNotDeleted() throws Exception {
        try (RawFtp deleter = login("deleter")) {
            upload(client, "STOR /site-b/full/x");
            client.ok("MKD /site-b/empty");
            for (String name : List.of("v", "none", "full", "full/x", "v/below")) {
                assertDenied(deleter, "RMD ", "/site-b/" + name);
            }
            for (String name : List.of("dir", "none", "full", "empty", "v/below")) {
                assertDenied(deleter, "DELE ", "/site-b/" + name);
            }

            deleter.send("RMD /site-b/dir");
            await().until(() -> ftp.spool.newest().manifest().kind() == TransferKind.REMOVE_DIRECTORY);
            ftp.spool.receipt(ftp.spool.newest().key(), "site-b", ReceiptStatus.FAILED, "Directory not empty");
            assertThat(deleter.reply()).isEqualTo("550 /site-b/dir: Permission denied");
        }
    }

    @Test
    void whoDeletesItsBrokenUploadIsNotToldWhatElseHasTheName() throws Exception {
        try (RawFtp deleter = login("deleter")) {
            for (String name : List.of("dir", "none")) {
                Socket data = deleter.begin("STOR /site-b/" + name);
                data.getOutputStream().write(1);
                deleter.awaitReceived(1);
                deleter.abort();
                data.close();

                assertThat(deleter.ok("DELE /site-b/" + name)).isEqualTo("250 /site-b/" + name + ": Deleted.");
            }
        }
    }
}
