package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolPhase;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** New names that cannot be: refused when the command comes, as far as anybody knows it then. */
class NewNameTest extends OnUsualFtpServer {

    private final List<RawFtp> others = new ArrayList<>();

    @Override
    protected FtpFixture server() throws Exception {
        return FtpFixture.start(config -> config.withUploaders().withCustodyTime(Duration.ofSeconds(1)));
    }

    @BeforeEach
    void prepare() throws Exception {
        ftp.remote.connect().file("dir/file", new byte[10]).linkOut("out").directory("dir/sub");
    }

    @AfterEach
    void end() throws Exception {
        for (RawFtp other : others) {
            other.close();
        }
    }

    private String refused(int code, String command) throws Exception {
        if (command.startsWith("STOR") || command.startsWith("APPE")) {
            client.passivePort();
        }
        client.send(command);
        return client.expect(code);
    }

    @Test
    void nothingGoesBelowAFileOrALinkThatLeadsOut() throws Exception {
        for (String below : List.of("dir/file/x", "dir/file/a/b/x")) {
            assertThat(refused(553, "STOR /site-b/" + below)).contains(below + ": Not a directory");
            assertThat(refused(553, "APPE /site-b/" + below)).contains("Not a directory");
            assertThat(refused(550, "MKD /site-b/" + below)).contains("Not a directory");
        }
        for (String below : List.of("out/x", "out/a/b/x")) {
            assertThat(refused(553, "STOR /site-b/" + below)).contains("Permission denied");
            assertThat(refused(550, "MKD /site-b/" + below)).contains("Permission denied");
        }
        assertThat(ftp.spool.all()).isEmpty();

        client.upload("STOR /site-b/mine", new byte[1]);
        for (String below : List.of("dir/file/x", "out/x", "nowhere/x")) {
            client.expect("RNFR /site-b/mine", 350);
            refused(553, "RNTO /site-b/" + below);
        }
        assertThat(ftp.spool.all()).hasSize(1);
        assertThat(refused(553, "STOR /site-b/mine/x")).as("a file on its way").contains("Not a directory");
        client.rename("/site-b/mine", "/site-b/dir/sub/mine");
    }

    private void storedNowhere(int code, String text, String path) throws Exception {
        try (Socket data = client.begin("STOR " + path)) {
            data.getOutputStream().write(1);
        }
        assertThat(client.expect(code)).contains(text);
        await().until(() -> ftp.spool.all().stream().allMatch(state -> state.phase() == SpoolPhase.CANCELLED));
    }

    /** It was told 226, and the far end refused it for good. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aFileOverADirectoryOfTheFarEndIsRefusedBeforeItsFinalReply() throws Exception {
        storedNowhere(553, "/site-b/dir/sub: Is a directory", "/site-b/dir/sub");
        ftp.remote.link("link", "dir");
        client.upload("STOR /site-b/link", new byte[1]); // takes the link's place
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aPathThatIsTooLongForTheFarEndIsRefusedBeforeItsFinalReply() throws Exception {
        ftp.remote.tooLong("dir/far too long");
        storedNowhere(553, "File name too long", "/site-b/dir/far too long");
    }

    @Test
    void aFarEdgeThatDoesNotAnswerHoldsNoUploadUp() throws Exception {
        ftp.remote.fallSilent();
        client.upload("STOR /site-b/dir", new byte[1]);
    }

    @Test
    void nothingIsChangedThroughALinkThatStaysInside() throws Exception {
        String why = "symbolic links are not followed at the destination";
        ftp.remote.link("in", "dir").link("file", "dir/file");
        for (String below : List.of("in/x", "in/sub/x", "in/none/er/x")) {
            assertThat(refused(553, "STOR /site-b/" + below)).contains(why);
            assertThat(refused(553, "APPE /site-b/" + below)).contains(why);
            assertThat(refused(550, "MKD /site-b/" + below)).contains(why);
        }
        for (String command : List.of("RNFR", "DELE", "SITE CHMOD 600", "MFMT 20200101000000")) {
            assertThat(refused(550, command + " /site-b/in/file")).contains(why);
        }
        assertThat(refused(550, "RMD /site-b/in/sub")).contains(why);
        assertThat(refused(550, "RMD /site-b/in")).contains("Not a directory");
        assertThat(refused(550, "APPE /site-b/file")).contains(why);
        client.expect("REST 5", 350);
        assertThat(refused(550, "STOR /site-b/file")).contains(why);
        assertThat(ftp.spool.all()).isEmpty();

        assertThat(client.ok("SIZE /site-b/in/file")).isEqualTo("213 10");
        client.upload("STOR /site-b/file", new byte[1]); // takes the link's place
        client.expect("RNFR /site-b/mine", 550);
        client.upload("STOR /site-b/mine", new byte[1]);
        client.expect("RNFR /site-b/mine", 350);
        assertThat(refused(553, "RNTO /site-b/in/mine")).contains(why);
        client.send("RNFR /site-b/in"); // the link itself
        client.expect(350);
        client.send("DELE /site-b/in"); // waits for the far end, which nobody plays here
        await().until(() ->
                ftp.spool.all().stream().anyMatch(state -> state.manifest().kind() == TransferKind.DELETE));
    }

    @Test
    void directoriesThatAreMissingAreMadeAndTheOnesThatAreThereAreAskedForOnce() throws Exception {
        client.upload("STOR /site-b/new/er/x", new byte[1]);
        int asked = ftp.remote.stats.get();
        for (int i = 0; i < 5; i++) {
            client.upload("STOR /site-b/new/er/x" + i, new byte[1]);
        }
        assertThat(ftp.remote.stats.get() - asked)
                .as("each name once, and the directory now and then")
                .isLessThan(10);
    }

    @Test
    void whileTheFarEdgeIsAwayItDecidesLater() throws Exception {
        ftp.remote.disconnect();
        client.upload("STOR /site-b/dir/file/x", new byte[1]);
        client.ok("MKD /site-b/out/y");
    }

    @Test
    void aFarEdgeThatIsThereAndDoesNotAnswerDecidesLater() throws Exception {
        client.upload("STOR /site-b/mine", new byte[1]);
        ftp.remote.fallSilent();
        client.rename("/site-b/mine", "/site-b/dir/file/mine");
        client.upload("STOR /site-b/dir/file/x", new byte[1]);
        client.ok("MKD /site-b/out/y");

        int uploads = ftp.spool.all().size();
        ftp.remote.goOn(); // the answers come, and are nobody's
        assertThat(client.ok("NOOP")).startsWith("200");
        client.upload("STOR /site-b/dir/sub/x", new byte[1]);
        assertThat(ftp.spool.all()).hasSize(uploads + 1);
    }

    /** Another client renames what the far end has; its reply waits for the far end. */
    private void beginToRename(String from, String to) throws Exception {
        RawFtp other = RawFtp.login(ftp.port);
        others.add(other);
        other.expect("RNFR " + from, 350);
        other.send("RNTO " + to);
        await().until(() ->
                ftp.spool.all().stream().anyMatch(state -> state.manifest().kind() == TransferKind.RENAME));
    }

    @Test
    void aDirectoryThatTheFarEndHasJustRenamedIsFoundUnderItsNewName() throws Exception {
        client.upload("STOR /site-b/mine", new byte[1]);
        beginToRename("/site-b/dir", "/site-b/moved");
        for (String gone : List.of("dir", "dir/sub", "dir/file")) {
            ftp.remote.remove(gone);
        }
        ftp.remote.directory("moved/sub").file("moved/file", new byte[1]);
        for (String name : List.of("moved/mine", "moved/sub/mine")) {
            client.expect("RNFR /site-b/mine", 350);
            client.ok("RNTO /site-b/" + name);
            client.upload("STOR /site-b/mine", new byte[1]);
        }
        assertThat(refused(553, "STOR /site-b/moved/file/x")).contains("Not a directory");
    }

    private void assertNoRenameInto(String directory) throws Exception {
        client.upload("STOR /site-b/mine", new byte[1]);
        client.expect("RNFR /site-b/mine", 350);
        assertThat(refused(553, "RNTO " + directory + "/mine")).contains("No such file or directory");
    }

    @Test
    void whatTheFarEdgeSaidOfADirectoryDoesNotOutliveItsRenaming() throws Exception {
        client.upload("STOR /site-b/dir/sub/x", new byte[1]);
        ftp.spool.finishAll();
        beginToRename("/site-b/dir", "/site-b/moved");
        assertNoRenameInto("/site-b/dir/sub");
    }

    @Test
    void aDirectoryThatAnUploadWouldHaveMadeIsNotThereForARename() throws Exception {
        assertThat(refused(553, "STOR /site-b/dir/file/x")).contains("Not a directory");
        client.upload("STOR /site-b/nowhere/x", new byte[1]);
        ftp.spool.finishAll();
        assertNoRenameInto("/site-b/nowhere");
    }

    @Test
    void reservedNamesAreNeverTaken() throws Exception {
        ftp.remote.disconnect();
        for (String name : List.of("/site-b/.hawser-landing-s", "/site-b/.hawser-landing-s/files/x")) {
            for (String command : List.of("STOR ", "APPE ", "MKD ")) {
                assertThat(refused(553, command + name)).contains("kept for incomplete files");
            }
        }
        client.upload("STOR /site-b/mine", new byte[1]);
        client.expect("RNFR /site-b/mine", 350);
        refused(553, "RNTO /site-b/.hawser-landing-s");
        client.upload("STOR /site-b/.hawser-landin", new byte[1]);
    }

    @Test
    void abortEndsTheWaitForTheFarEdge() throws Exception {
        ftp.remote.disconnect();
        client.passivePort();
        client.expect("STOR /site-b/dir/x\r\nABOR", 426);
        client.expect(226);
        client.ok("NOOP");
        assertThat(ftp.spool.all()).isEmpty();
    }

    @Test
    void whoMayOnlyUploadIsToldNothingOfWhatIsThere() throws Exception {
        try (RawFtp writer = RawFtp.login(ftp.port, "anna")) {
            client.upload("STOR /site-b/theirs", new byte[1]);
            String[] answers = new String[4];
            int i = 0;
            for (String name : List.of("dir/file", "nothing", "theirs", "out/x")) {
                writer.send("RNFR /site-b/" + name);
                answers[i++] = writer.expect(550).replace(name, "");
            }
            assertThat(answers).containsOnly("550 /site-b/: Permission denied");
            writer.ok("MKD /site-b/dir/sub");
            writer.ok("MKD /site-b/dir/other");
            writer.ok("CWD /site-b/dir/file");
            writer.ok("CWD /site-b/nothing");

            writer.upload("STOR /site-b/x.tmp", new byte[1]);
            writer.rename("/site-b/x.tmp", "/site-b/x");
            ftp.spool.finishAll();
            writer.rename("/site-b/x", "/site-b/y");
        }
    }
}
