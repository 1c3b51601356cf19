package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.agentb.deliver.ftp.LoginSecurity;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Printable;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that know little, or misbehave. */
class ScriptedFilesTest extends ScriptedFilesBase {
    @BeforeEach
    void open() throws IOException {
        files = open("ftp", 4, options -> options);
    }

    private List<RemoteFile> list() {
        ByteBuffer page = ByteBuffer.allocate(1 << 20);
        assertThat(files.list("", "", page)).isEqualTo(Outcome.of(""));
        return RemoteFileCodec.getAll(page.flip());
    }

    @Test
    void aServerThatAcceptsAndSaysNothingIsNoticedAndThenNotWaitedFor() {
        server.says("greeting", "");

        assertThat(code(files.stat("x"))).isEqualTo(ErrorCode.UNREACHABLE);

        long before = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            assertThat(code(files.stat("x"))).isEqualTo(ErrorCode.UNREACHABLE);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SILENCE);
        assertThat(files.problem()).startsWith("ftp://127.0.0.1");
    }

    @Test
    void aServerThatFallsSilentLaterIsNoticed() {
        server.says("SIZE", "");

        assertThat(code(files.stat("x"))).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    @Test
    void dataThatDoNotComeAreNoticed() {
        server.says("SIZE", "213 100").says("MDTM", "213 20200101000000").says("RETR", "150 go");

        Outcome<RemoteFile> outcome = files.read(new Question.Read("x", "", 0, 100), ByteBuffer.allocate(100));

        assertThat(code(outcome)).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    @Test
    void dataThatStopComingAreAskedForAgain() {
        server.says("SIZE", "213 100").says("MDTM", "213 20200101000000").beginsToSend("RETR /in/x", "0123456789");
        assertThat(read(0, 10)).isEqualTo("0123456789");

        Outcome<RemoteFile> outcome = files.read(new Question.Read("x", "", 10, 10), ByteBuffer.allocate(10));

        assertThat(code(outcome)).isEqualTo(ErrorCode.UNREACHABLE);
    }

    @Test
    void dataThatEndEarlyAreNotTheFile() {
        server.says("SIZE", "213 100").says("MDTM", "213 20200101000000").sends("RETR /in/x", "short");

        Outcome<RemoteFile> outcome = files.read(new Question.Read("x", "", 0, 100), ByteBuffer.allocate(100));

        assertThat(code(outcome)).isEqualTo(ErrorCode.UNREACHABLE);
    }

    @Test
    void aServerWithoutRestIsReadFromTheBeginning() {
        server.says("SIZE", "213 10").says("MDTM", "213 20200101000000.5").sends("RETR /in/x", "0123456789");

        assertThat(read(4, 3)).isEqualTo("456");
        assertThat(read(7, 5)).isEqualTo("789");
        assertThat(files.streamsBegun()).isEqualTo(1);
        assertThat(files.stat("x").get().modifiedMillis()).isEqualTo(1_577_836_800_500L);
        assertThat(server.commands).contains("REST 4");
    }

    @Test
    void aServerWithoutSizesIsLookedAtInItsListing() {
        server.says("CWD /in", "250 ok")
                .sends(
                        "LIST -a",
                        "total 1\r\n-rw-r----- 1 a b 77 Jan 03 2020 x y\r\ndrwx------ 2 a b 9 Jan 03 2020 d\r\n");

        RemoteFile file = files.stat("x y").get();

        assertThat(file.sizeBytes()).isEqualTo(77);
        assertThat(file.mode()).isEqualTo(0640);
        assertThat(files.stat("d").get().isDirectory()).isTrue();
        assertThat(code(files.stat("z"))).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void aListingThatCannotBeReadIsMadeOfNames() {
        server.says("CWD /in", "250 ok")
                .says("CWD /in/d", "250 ok")
                .says("SIZE", "550 no")
                .says("SIZE /in/-f", "213 7")
                .says("MDTM", "213 20200101000000")
                .sends("LIST -a", "some words\r\n")
                .sends("NLST", "/in/-f\r\nd\r\ngone\r\n");

        assertThat(list()).extracting(RemoteFile::name).containsExactly("-f", "d");
        assertThat(list()).extracting(RemoteFile::isDirectory).containsExactly(false, true);
    }

    /** A line of LIST of which the name takes {@code bytes} bytes of memory. */
    private static String lineOf(int bytes) {
        return "-rw-r----- 1 a b 77 Jan 03 2020 \u0416" + "n".repeat(bytes / 2 - 1) + "\r\n";
    }

    @Test
    void listingOfLongNamesIsRefusedBeforeItFillsTheHeap() {
        server.says("CWD /in", "250 ok").sends("LIST -a", lineOf(32_000).repeat(1000));

        assertThat(code(files.list("", "", ByteBuffer.allocate(1000)))).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void memoryOfRefusedListingsAndOfPagesComesBack() {
        server.says("CWD /in", "250 ok")
                .says("CWD /in/d", "250 ok")
                .sends("LIST -a", lineOf(32_000).repeat(400));
        for (int i = 0; i < 3; i++) {
            assertThat(code(files.list("", "", ByteBuffer.allocate(2000)))).isEqualTo(ErrorCode.MALFORMED);
        }
        server.sends("LIST -a", lineOf(2_000).repeat(6_000));
        for (String name : List.of("", "d", "")) {
            assertThat(code(files.list(name, "", ByteBuffer.allocate(2000)))).isNull();
        }
    }

    @Test
    void lineOfManyWordsIsFoundByItsName() {
        server.says("CWD /in", "250 ok")
                .says("SIZE /in/odd", "213 7")
                .says("MDTM", "213 20200101000000")
                .sends("LIST -a", "-rw-r--r-- 1 " + "a ".repeat(8000) + "\r\n")
                .sends("NLST", "odd\r\n");
        assertThat(list()).extracting(RemoteFile::name).containsExactly("odd");
    }

    /** To ask for the link would be to look into the listing again. */
    @Test
    void linkAtAServerWithoutSizesIsAskedForOnce() {
        server.says("CWD /in", "250 ok").sends("LIST -a", "lrwxrwxrwx 1 a b 3 Jan 03 2020 link -> there\r\n");

        assertThat(code(files.stat("link"))).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(code(files.list("", "", ByteBuffer.allocate(1000)))).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(server.commands.stream().filter("LIST -a"::equals)).hasSize(3);
    }

    @Test
    void linksAreShownAsWhatTheyLeadTo() {
        server.says("CWD /in", "250 ok")
                .says("SIZE", "550 no")
                .says("SIZE /in/link", "213 7")
                .says("MDTM", "213 20200101000000")
                .sends(
                        "LIST -a",
                        "lrwxrwxrwx 1 a b 3 Jan 03 2020 link -> there\r\nlrwxrwxrwx 1 a b 3 Jan 03 2020 dangling -> x\r\n");

        assertThat(list()).extracting(RemoteFile::name).containsExactly("link");
        assertThat(list()).extracting(RemoteFile::sizeBytes).containsExactly(7L);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aLineThatCannotBeReadMakesTheListingFail() {
        server.says("CWD /in", "250 ok")
                .sends("LIST -a", "total 2\r\n-rw-r----- 1 a b 77 Jan 03 2020 sound\r\nwhat? odd\r\n")
                .sends("NLST", "sound\r\n");
        assertThat(code(files.list("", "", ByteBuffer.allocate(1000)))).isEqualTo(ErrorCode.STORAGE_FAILED);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aLineThatCannotBeReadIsFoundByItsName() {
        server.says("CWD /in", "250 ok")
                .says("SIZE", "550 no")
                .says("SIZE /in/odd", "213 7")
                .says("MDTM", "213 20200101000000")
                .sends("LIST -a", "total 2\r\n-rw-r----- 1 a b 77 Jan 03 2020 sound\r\nwhat? odd\r\n")
                .sends("NLST", "sound\r\nodd\r\n");
        assertThat(list()).extracting(RemoteFile::name).containsExactly("odd", "sound");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aLineOfMlsdThatCannotBeReadIsNotLeftOut() {
        server.says("FEAT", "211-have\r\n MLST type*;size*;\r\n211 end")
                .says("CWD /in", "250 ok")
                .sends("MLSD", "type=file;size=99999999999999999999; odd\r\ntype=file;size=5; sound\r\n")
                .sends("LIST -a", "-rw-r----- 1 a b 5 Jan 03 2020 odd\r\n-rw-r----- 1 a b 5 Jan 03 2020 sound\r\n");
        assertThat(list()).extracting(RemoteFile::name).containsExactly("odd", "sound");
    }

    @ParameterizedTest
    @ValueSource(strings = {"caf\uFFFD", "\u001B[2J", "x\\..", "a\u0007b"})
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aNameThatCannotBeShownMakesTheListingFail(String odd) {
        server.says("CWD /in", "250 ok")
                .sends(
                        "LIST -a",
                        "-rw-r----- 1 a b 77 Jan 03 2020 sound\r\n-rw-r----- 1 a b 7 Jan 03 2020 " + odd + "\r\n");
        assertThatItIsNamed(odd);
        server.sends("LIST -a", "some words\r\n").sends("NLST", odd + "\r\n");
        assertThatItIsNamed(odd);
    }

    private void assertThatItIsNamed(String odd) {
        Outcome<String> outcome = files.list("", "", ByteBuffer.allocate(1000));
        assertThat(code(outcome)).isEqualTo(ErrorCode.MALFORMED);
        assertThat(String.valueOf(outcome.refusal())).contains('"' + Printable.text(odd) + '"');
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void anOddNameDoesNotHideTheFileBesideIt() {
        server.says("CWD /in", "250 ok")
                .sends(
                        "LIST -a",
                        "-rw-r----- 1 a b 77 Jan 03 2020 sound\r\n-rw-r----- 1 a b 7 Jan 03 2020 caf\uFFFD\r\n");
        assertThat(files.stat("sound").get().sizeBytes()).isEqualTo(77);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void onlyTheDirectoryItselfAndTemporaryFilesAreLeftOut() {
        server.says("FEAT", "211-have\r\n MLST type*;size*;\r\n211 end")
                .says("CWD /in", "250 ok")
                .sends(
                        "MLSD",
                        lines(
                                "type=cdir; /in",
                                "Type=pdir; /",
                                "type=dir; ..",
                                "type=file;size=5; .hawser-1",
                                "type=file;size=5; a\tb",
                                "type=file;size=6; back\\slash"));
        assertThat(list()).extracting(RemoteFile::name).containsExactly("a\tb", "back\\slash");
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void moreLinksThanAreFollowedMakeTheListingFail() {
        server.says("CWD /in", "250 ok")
                .says("SIZE", "550 no")
                .sends("LIST -a", "lrwxrwxrwx 1 a b 3 Jan 03 2020 link -> there\r\n".repeat(FarListing.MAX_LINKS + 1));
        assertThat(code(files.list("", "", ByteBuffer.allocate(1000)))).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aLinkThatMayNotBeLookedAtMakesTheListingFail() {
        server.says("CWD /in", "250 ok")
                .says("SIZE", "550 Permission denied")
                .sends("LIST -a", "lrwxrwxrwx 1 a b 3 Jan 03 2020 link -> there\r\n");
        assertThat(code(files.list("", "", ByteBuffer.allocate(1000)))).isEqualTo(ErrorCode.NOT_ALLOWED);
    }

    @Test
    void aLineWithoutAnEndIsNotKept() {
        server.says("CWD /in", "250 ok").sends("LIST -a", "x".repeat(LineReader.MAX_LINE_BYTES + 1));

        assertThat(code(files.list("", "", ByteBuffer.allocate(100)))).isEqualTo(ErrorCode.UNREACHABLE);
    }

    @Test
    void whatTheServerSaysIsToldAsPosixSaysIt() {
        server.says("SIZE /in/a", "550 Permission denied").says("SIZE /in/b", "550 b: Not a directory");
        assertThat(code(files.stat("a"))).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(code(files.stat("b"))).isEqualTo(ErrorCode.NOT_DIRECTORY);

        server.says("SIZE", "213 5").says("MDTM", "213 20200101000000").says("RETR", "550 Failed to open file.");
        Outcome<RemoteFile> outcome = files.read(new Question.Read("x", "", 0, 5), ByteBuffer.allocate(5));
        assertThat(code(outcome)).isEqualTo(ErrorCode.NOT_ALLOWED);
    }

    @Test
    void aRefusedLoginIsNotRepeatedAndTheSecretIsNotTold() {
        server.says("PASS", "530 no");

        assertThat(code(files.stat("x"))).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(code(files.stat("x"))).isEqualTo(ErrorCode.UNREACHABLE);

        assertThat(server.commands.stream().filter(line -> line.startsWith("PASS")))
                .hasSize(1);
        assertThat(files.problem()).contains("--serve-password-file").doesNotContain("a@b");
    }

    @Test
    void thatTheAccountIsRefusedIsKnownBeforeTheFirstQuestion() {
        server.says("PASS", "530 no");
        files.watchServer();

        await().until(() -> files.problem().contains("refuses the login"));
    }

    @Test
    void aQuestionThatTakesTooLongDoesNotCloseTheServerToOthers() {
        server.says("SIZE /in/x", "").says("SIZE /in/y", "213 5").says("MDTM", "213 20200101000000");

        assertThat(code(files.stat("x"))).isEqualTo(ErrorCode.STORAGE_FAILED);

        assertThat(files.problem()).isEmpty();
        assertThat(files.stat("y").get().sizeBytes()).isEqualTo(5);
        assertThat(files.problem()).isEmpty();
    }

    @Test
    void thatItHasFallenSilentIsKnownAndThatItSpeaksAgain() {
        server.says("SIZE /in/y", "213 5").says("MDTM", "213 20200101000000");
        assertThat(files.stat("y").get().sizeBytes()).isEqualTo(5);

        server.says("greeting", "").says("SIZE /in/y", "");
        assertThat(code(files.stat("y"))).isEqualTo(ErrorCode.UNREACHABLE);

        await().until(() -> !files.problem().isEmpty());

        server.says("greeting", "220 hello");
        await().until(() -> files.problem().isEmpty());
    }

    @Test
    void aServerThatIsBeingReadFromIsNotLookedAtWithAnotherLogin() throws IOException {
        FarOptions options = FarOptions.with(new Secret("a@b"));
        try (ReadingSessions sessions =
                new ReadingSessions(FarServer.parse(server.url()), options, () -> LoginSecurity.NONE, 2)) {
            FarSession reading = sessions.take();
            server.says("PASS", "530 no more");

            sessions.probe(0);

            assertThat(sessions.problem()).isEmpty();
            assertThat(server.commands).doesNotContain("NOOP").containsOnlyOnce("PASS a@b");
            sessions.giveBack(reading);
            sessions.probe(0);
            assertThat(server.commands).contains("NOOP").containsOnlyOnce("PASS a@b");
        }
    }

    @Test
    void listingStaysForOthersWhoAreInTheMiddleOfIt() {
        server.says("CWD /in", "250 ok").sends("LIST -a", lineOf(200) + "-rw-r----- 1 a b 77 Jan 03 2020 z\r\n");
        String middle = files.list("", "", ByteBuffer.allocate(100)).get();
        assertThat(middle).isNotEmpty();
        server.says("LIST", "550 no more");

        for (int reader = 0; reader < 3; reader++) {
            assertThat(files.list("", middle, ByteBuffer.allocate(4000)).get()).isEmpty();
        }
    }
}
