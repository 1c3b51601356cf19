package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.namespace.PendingDirectory;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolConfig;
import io.hawser.store.spool.SpoolPhase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings, facts and checksums: what the far end has, what is on its way there, and what is known while it is away. */
class FarListingTest extends OnFtpServer {
    private static final byte[] HELLO = "hello\n".getBytes(StandardCharsets.US_ASCII);

    @BeforeEach
    void start() throws Exception {
        start(SpoolRig.config());
    }

    private void start(SpoolConfig spool) throws Exception {
        start(FtpFixture.start(config -> config, spool));
        ftp.remote.connect().file("d/f", HELLO).directory("d/sub").file("d/\u00fcber alles", new byte[3]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\nb", "a\u001b[2Jb", "a\u009bb"})
    void listingWithANameThatFtpCannotCarryIsAnError(String name) throws Exception {
        ftp.remote.file("odd/before", HELLO).file("odd/" + name, HELLO);
        for (String command :
                new String[] {"LIST /site-b/odd", "MLSD /site-b/odd", "NLST /site-b/odd", "STAT /site-b/odd"}) {
            client.ok("EPSV");

            assertThat(client.expect(command, 451))
                    .as(command)
                    .contains("control characters")
                    .doesNotContain("\u001b", "\n");
        }
        client.ok("NOOP");
    }

    /** Of so many accepted uploads nobody knows whether they have arrived: what is missing at the far end proves nothing. */
    @Test
    void whatIsNoLongerFollowedMakesListingsAnError() throws Exception {
        start(SpoolRig.config().withMaxAwaitingReceipts(1));
        for (String name : new String[] {"x", "y"}) {
            client.upload("STOR /site-b/d/" + name, HELLO);
            ftp.spool.brokered(ftp.spool.newest().key(), "site-b");
        }
        TransferKey unfollowed = ftp.spool.all().get(0).key();

        refusedListings("/site-b/d", 451, "more uploads wait for the far end");
        client.expect("SIZE /site-b/d/missing", 451, "more uploads wait for the far end");
        client.expect("DELE /site-b/d/missing", 450, "more uploads wait for the far end");
        assertThat(client.text("RETR /site-b/d/f")).isNotEmpty();

        ftp.spool.receipt(unfollowed, "site-b", ReceiptStatus.DELIVERED, "");
        assertThat(client.text("NLST /site-b/d")).isNotEmpty();
        client.expect("SIZE /site-b/d/missing", 550, "No such file or directory");
    }

    @Test
    void newNamesHaveNoControlCharacters() throws Exception {
        client.ok("EPSV");
        client.expect("STOR /site-b/d/a\u001b[2Jb", 553, "control characters");
        client.expect("MKD /site-b/d/a\u0007", 553, "control characters");
    }

    /** What {@code mget} of classic clients sends. */
    @Test
    void patternsMatchWhereNothingHasThatName() throws Exception {
        ftp.remote.file("d/sub/one.csv", HELLO).file("d/sub/two.csv", HELLO).file("d/sub/three", HELLO);
        assertThat(client.text("NLST /site-b/d/sub/*.csv"))
                .isEqualTo("/site-b/d/sub/one.csv\r\n/site-b/d/sub/two.csv\r\n");
        client.ok("CWD /site-b/d/sub");
        assertThat(client.text("NLST t*")).isEqualTo("three\r\ntwo.csv\r\n");
        assertThat(client.text("LIST -l t*").split("\r\n")).hasSize(2).allMatch(line -> line.startsWith("-rw-"));
        client.passivePort();
        client.expect("NLST x*", 550, "x*: No such file or directory");
        client.expect("NLST nowhere/x*", 550, "No such file or directory");
        ftp.remote.file("d/sub/t*", HELLO);
        client.ok("MKD /site-b/d/sub/new"); // what was remembered is asked anew
        assertThat(client.text("NLST t*")).isEqualTo("t*\r\n");
    }

    @Test
    void listingsHaveTheFormsThatProgramsRead() throws Exception {
        assertThat(client.text("LIST -la /site-b/d").split("\r\n"))
                .containsExactly(
                        "-rw-r----- 1 hawser hawser            6 Nov 14  2023 f",
                        "drwxr-xr-x 2 hawser hawser            0 Nov 14  2023 sub",
                        "-rw-r----- 1 hawser hawser            3 Nov 14  2023 \u00fcber alles");
        assertThat(client.text("NLST /site-b/d")).isEqualTo("f\r\nsub\r\n\u00fcber alles\r\n");
        assertThat(client.text("LIST /site-b/d/f")).endsWith(" f\r\n").hasLineCount(1);
        client.ok("CWD /site-b/d");
        client.ok("TYPE A");
        assertThat(client.text("MLSD"))
                .contains("Type=file;Size=6;Modify=20231114221320;Perm=rw;UNIX.mode=0640;Unique=v")
                .contains("; f\r\n")
                .contains("Type=dir;Modify=20231114221320;Perm=celm;UNIX.mode=0755;Unique=v")
                .contains("; sub\r\n");
        client.ok("OPTS MLST size;TYPE;nonsense;");
        assertThat(client.text("MLSD")).startsWith("Type=file;Size=6; f\r\nType=dir; sub\r\n");
        assertThat(client.ok("FEAT")).contains("MLST Type*;Size*;Modify;Perm;UNIX.mode;Unique;");
        assertThat(client.ok("MLST /site-b/d")).contains("\n Type=dir; /site-b/d\n");
        assertThat(client.ok("STAT /site-b/d")).startsWith("213-").contains(" sub\n");
        client.expect("MLSD /site-b/d/f", 501, "Not a directory");
    }

    @Test
    void whatIsOnItsWayIsSeenAtOnceAndWhatIsDoneHereIsNotHiddenByWhatIsRemembered() throws Exception {
        assertThat(client.text("NLST /site-b/d")).isEqualTo("f\r\nsub\r\n\u00fcber alles\r\n");
        client.text("NLST /site-b/d");
        assertThat(ftp.remote.lists.get()).isEqualTo(1);

        client.upload("STOR /site-b/d/new", HELLO);
        assertThat(client.text("NLST /site-b/d")).contains("new\r\n");
        assertThat(client.ok("SIZE /site-b/d/new")).isEqualTo("213 6");
        ftp.remote.file("d/new", HELLO);
        ftp.spool.finishAll();
        assertThat(client.text("NLST /site-b/d")).containsOnlyOnce("new\r\n");
        ftp.remote.remove("d/new");
        ftp.remote.file("d/new2", HELLO);

        // Once what was remembered is too old.
        await().untilAsserted(() ->
                assertThat(client.text("NLST /site-b/d")).contains("new2\r\n").doesNotContain("new\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"LIST", "NLST", "MLSD"})
    void restIsUsedUpByAListing(String command) throws Exception {
        client.expect("REST 3", 350);
        client.text(command + " /site-b/d");
        client.upload("STOR /site-b/d/f", HELLO);
        assertThat(ftp.spool.all())
                .singleElement()
                .satisfies(state -> assertThat(state.manifest().kind()).isEqualTo(TransferKind.FILE));
    }

    @Test
    void rangeIsForDownloadsAndChecksumsOnly() throws Exception {
        client.expect("RANG 3 4", 350);
        client.upload("STOR /site-b/d/f", HELLO);
        assertThat(ftp.spool.all())
                .singleElement()
                .satisfies(state -> assertThat(state.manifest().kind()).isEqualTo(TransferKind.FILE));
        assertThat(client.ok("XMD5 /site-b/d/f")).isEqualTo("250 b1946ac92492d2347c6235b4d2611184");
    }

    @Test
    void aListingLooksAtTheSpoolOnce() throws Exception {
        client.upload("STOR /site-b/d/own", HELLO);
        client.rename("/site-b/d/own", "/site-b/d/mine");
        try (Socket data = client.begin("STOR /site-b/d/broken")) {
            data.getOutputStream().write(HELLO);
            client.awaitReceived(HELLO.length);
            data.setSoLinger(true, 0);
        }
        client.expect(426);
        int before = ftp.spool.walks.get();
        assertThat(client.text("NLST /site-b/d").split("\r\n"))
                .contains("broken", "f", "mine")
                .doesNotContain("own");
        assertThat(ftp.spool.walks.get() - before).isEqualTo(1);
    }

    private interface Step {
        void run(RawFtp other) throws Exception;
    }

    /** The names that a listing has whose answer the far end gives only after {@code meanwhile}. */
    private List<String> listWhile(String directory, Step meanwhile) throws Exception {
        ftp.remote.holdLists();
        try (RawFtp other = RawFtp.login(ftp.port);
                Socket data = client.passive()) {
            client.send("NLST " + directory);
            await().until(() -> ftp.remote.openQuestions() == 1);
            meanwhile.run(other);
            ftp.remote.goOn();
            client.expect(150);
            String text = new String(data.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            client.expect(226);
            return text.lines().toList();
        }
    }

    /** Deliveries end, and the answer is from before them. */
    private void finishAndChangeNothing(RawFtp unused) {
        ftp.spool.finishAll();
    }

    private void finishAndMakeAnother(RawFtp other) throws IOException {
        other.ok("MKD /site-b/d/another");
        ftp.spool.finishAll();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsDeliveredDuringAListingIsListed() throws Exception {
        client.upload("STOR /site-b/d/x", HELLO);
        assertThat(listWhile("/site-b/d", this::finishAndMakeAnother)).contains("x", "another", "f");
        client.upload("STOR /site-b/d/y", HELLO);
        assertThat(listWhile("/site-b/d", this::finishAndChangeNothing)).contains("y", "f");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsRenamedDuringAListingIsListedOnce() throws Exception {
        for (boolean answerIsNew : new boolean[] {false, true}) {
            client.upload("STOR /site-b/d/x.tmp", HELLO);
            assertThat(listWhile("/site-b/d", other -> {
                        other.rename("/site-b/d/x.tmp", "/site-b/d/x");
                        ftp.spool.finishAll();
                        if (answerIsNew) {
                            ftp.remote.file("d/x", HELLO);
                        }
                    }))
                    .containsOnlyOnce("x")
                    .doesNotContain("x.tmp");
            client.upload("STOR /site-b/d/z.tmp", HELLO);
            ftp.spool.finishAll();
            ftp.remote.file("d/z.tmp", HELLO);
            assertThat(listWhile("/site-b/d", other -> {
                        other.expect("RNFR /site-b/d/z.tmp", 350);
                        other.send("RNTO /site-b/d/z");
                        await().until(() -> ftp.spool.all().stream()
                                .anyMatch(state -> state.manifest().kind() == TransferKind.RENAME
                                        && state.phase() == SpoolPhase.SPOOLED));
                        ftp.spool.finishAll();
                        if (answerIsNew) {
                            ftp.remote.remove("d/z.tmp");
                            ftp.remote.file("d/z", HELLO);
                        }
                    }))
                    .containsOnlyOnce("z")
                    .doesNotContain("z.tmp");
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatWasDeletedBeforeAListingIsNotListed() throws Exception {
        whatWasDeletedIsNotListed(List.of(this::finishAndChangeNothing, this::finishAndMakeAnother));
        start(SpoolRig.forgetful()); // as after its journal is cleaned
        whatWasDeletedIsNotListed(List.of(this::finishAndChangeNothing));
    }

    private void whatWasDeletedIsNotListed(List<Step> steps) throws Exception {
        for (Step meanwhile : steps) {
            client.upload("STOR /site-b/d/x", HELLO);
            client.ok("MKD /site-b/d/gone");
            ftp.remote.file("d/x", HELLO).directory("d/gone");
            client.ok("DELE /site-b/d/x");
            client.ok("RMD /site-b/d/gone");
            assertThat(listWhile("/site-b/d", meanwhile)).contains("f").doesNotContain("x", "gone");
            ftp.remote.remove("d/x");
            ftp.remote.remove("d/gone");
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aDirectoryThatIsMadeDuringItsListingIsEmpty() throws Exception {
        client.ok("MKD /site-b/d/made");
        assertThat(listWhile("/site-b/d/made", this::finishAndChangeNothing)).isEmpty();
    }

    /** The far end's answer is from before the delivery, and the receipt has overtaken it. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aDirectoryThatAFileMakesIsThereWhileThatIsDelivered() throws Exception {
        client.upload("STOR /site-b/made/f", HELLO);
        ftp.remote.holdLooks();
        client.send("MLST /site-b/made");
        await().until(() -> ftp.remote.openQuestions() == 1);
        ftp.spool.finishAll();

        ftp.remote.answerOneLook();
        ftp.remote.file("made/f", HELLO);
        ftp.remote.goOn();

        assertThat(client.expect(250)).contains("Type=dir;");
    }

    @Test
    void whatTheFarEdgeDoesNotHaveIsSaidSo() throws Exception {
        client.expect("SIZE /site-b/none", 550, "/site-b/none: No such file or directory");
        client.expect("MDTM /site-b/none", 550, "No such file or directory");
        client.expect("MLST /site-b/none", 550, "No such file or directory");
        client.expect("CWD /site-b/none", 550, "No such file or directory");
        client.expect("CWD /site-b/d/f", 550, "Not a directory");
        client.expect("SIZE /site-b/d", 550, "Is a directory");
        client.expect("MDTM /site-b/d", 550, "Is a directory");
        client.passivePort();
        client.expect("LIST /site-b/none", 550, "No such file or directory");
        assertThat(client.ok("MDTM /site-b/d/f")).isEqualTo("213 20231114221320");
        client.ok("MKD /site-b/none");
        client.ok("CWD /site-b/none");
        client.upload("STOR deep/er/file", HELLO);
        client.ok("CWD deep/er");
    }

    private void refusedListings(String path, int code, String text) throws IOException {
        for (String command : new String[] {"LIST", "NLST", "MLSD"}) {
            client.passivePort();
            client.expect(command + " " + path, code, text);
        }
        client.expect("STAT " + path, code, text);
    }

    /** The programs that mirror delete what is not listed. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aListingThatMayBeIncompleteIsAnError() throws Exception {
        try (Socket data = client.begin("NLST /site-b/d")) {
            assertThat(data.getInputStream().readAllBytes()).isNotEmpty();
        }
        assertThat(client.reply()).isEqualTo("226 Listing sent.");
        client.upload("STOR /site-b/delivered/f", HELLO);
        ftp.spool.finishAll();
        client.ok("MKD /site-b/made");
        ftp.remote.disconnect();
        client.upload("STOR /site-b/own/f", HELLO);

        for (String path : new String[] {"/site-b", "/site-b/own", "/site-b/made", "/site-b/delivered", "/site-b/d"}) {
            refusedListings(path, 451, path + ": the far end is not connected; try again later");
        }
        client.passivePort();
        client.expect("NLST /site-b/own/*", 451, "the far end is not connected");
        client.expect("SIZE /site-b/d/f", 451, "the far end is not connected");
        client.expect("MDTM /site-b/d/f", 451, "the far end is not connected");
        client.expect("MLST /site-b/d/f", 451, "the far end is not connected");
        client.expect("MLST /site-b/delivered", 451, "the far end is not connected");
    }

    @Test
    void whatIsOnItsWayIsToldOfWhileTheFarEdgeIsAway() throws Exception {
        ftp.remote.disconnect();
        client.upload("STOR /site-b/own/f", HELLO);

        assertThat(client.ok("SIZE /site-b/own/f")).isEqualTo("213 6");
        assertThat(client.ok("MLST /site-b/own/f")).contains("Size=6;");
        assertThat(client.ok("MLST /site-b/own")).contains("Type=dir;");
        assertThat(client.text("NLST /site-b/own/f")).isEqualTo("f\r\n");
        client.ok("CWD /site-b/any/where");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aTopicWhoseDirectoryIsNotThereIsNotListedAsEmpty() throws Exception {
        ftp.remote.withoutRoot();
        refusedListings("/site-b", 550, "No such file or directory");
        client.upload("STOR /site-b/x", HELLO);
        refusedListings("/site-b", 451, "the far end's own directory is not there");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsBeingRenamedAndCannotBeLookedAtMakesAListingFail() throws Exception {
        try (RawFtp other = RawFtp.login(ftp.port)) {
            other.expect("RNFR /site-b/d/f", 350);
            other.send("RNTO /site-b/d/sub/moved");
            await().until(() -> ftp.spool.all().size() == 1);
            assertThat(client.text("NLST /site-b/d/sub")).isEqualTo("moved\r\n");

            ftp.remote.unreadable("d/f");
            refusedListings("/site-b/d/sub", 550, "Permission denied");
        }
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void moreRenamesThanAListingAsksForMakeItFail() throws Exception {
        ftp.remote.directory("to");
        try (RawFtp other = RawFtp.login(ftp.port)) {
            for (int i = 0; i <= PendingDirectory.MAX_RENAMED; i++) {
                ftp.remote.file("from/" + i, HELLO);
                other.expect("RNFR /site-b/from/" + i, 350);
                other.send("RNTO /site-b/to/" + i);
                int sent = i + 1;
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> ftp.spool.all().size() == sent);
                other.expect("ABOR", 450);
                other.expect(226);
            }
        }
        refusedListings("/site-b/to", 451, "more than 256 entries are being renamed");
    }

    @Test
    void aPatternInADirectoryThatIsNotShownIsRefusedWithTheReason() throws Exception {
        ftp.remote.file("d/closed/x", HELLO).unreadable("d/closed");
        client.passivePort();
        client.expect("NLST /site-b/d/closed/*", 550, "/site-b/d/closed: Permission denied");
    }

    @Test
    void aListingOfFiftyThousandEntriesStreamsToAClientThatReadsLate() throws Exception {
        for (int i = 0; i < 50_000; i++) {
            ftp.remote.file("many/a-file-with-quite-a-long-name-" + i, HELLO);
        }
        try (Socket data = new Socket()) {
            data.setReceiveBufferSize(64 << 10);
            data.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), client.passivePort()));
            client.expect("MLSD /site-b/many", 150);
            await().until(() -> data.getInputStream().available() > 0);
            client.awaitTurn(); // the sockets between are full, so that the rest has to wait for the client
            assertThat(new String(data.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .hasLineCount(50_000);
            client.expect(226);
        }
    }

    @Test
    void checksumsOfTheFarEdgeAndOfTheOwnCopyAreTheSame() throws Exception {
        client.upload("STOR /site-b/own file", HELLO);
        for (String name : new String[] {"/site-b/own file", "/site-b/d/f"}) {
            assertThat(client.ok("CKSM MD5 0 -1 " + name)).isEqualTo("213 b1946ac92492d2347c6235b4d2611184");
            assertThat(client.ok("CKSM ADLER32 0 5 " + name)).isEqualTo("213 062c0215");
            client.ok("OPTS HASH SHA-1");
            assertThat(client.ok("HASH " + name))
                    .isEqualTo("213 SHA-1 0-5 f572d396fae9206628714fb2ce00f72e94f2258f " + name);
            client.expect("RANG 0 4", 350);
            assertThat(client.ok("HASH " + name)).startsWith("213 SHA-1 0-4 aaf4c61d");
            assertThat(client.ok("XCRC \"" + name + "\" 0 5")).isEqualTo("250 3610a686");
            assertThat(client.ok("XMD5 \"" + name + "\"")).isEqualTo("250 b1946ac92492d2347c6235b4d2611184");
            client.expect("CKSM MD5 0 7 " + name, 501, "it has only 6 bytes");
        }
        client.expect("CKSM SHA3 0 -1 /site-b/d/f", 504, "Checksums are");
        client.expect("CKSM MD5 x -1 /site-b/d/f", 501, "numbers");
        client.expect("CKSM MD5 0 -1 /site-b/d", 550, "Is a directory");
        client.expect("XSHA256 /site-b/none", 550, "No such file");
        client.expect("OPTS HASH ROT13", 504, "not changed");
    }

    @Test
    void directoryThatTheFarEdgeHasExistsAndOneThatItHasNotIsMade() throws Exception {
        client.expect("MKD /site-b/d", 550, "File exists");
        client.expect("MKD /site-b/d/sub/", 550, "File exists");
        client.expect("MKD /site-b/d/f", 550, "File exists");
        client.expect("MKD /site-b", 550, "File exists");
        assertThat(client.ok("MKD /site-b/d/new")).startsWith("257 \"/site-b/d/new\"");
        client.expect("MKD /site-b/d/new", 550, "File exists");
        ftp.spool.finishAll();
        assertThat(client.ok("MKD /site-b/d/new"))
                .as("it was made, and somebody took it away there")
                .startsWith("257");
    }

    @Test
    void directoriesAreMadeQuicklyWhileTheFarEdgeIsAway() throws Exception {
        ftp.remote.disconnect();
        assertThat(client.ok("MKD /site-b/d")).as("nobody knows that it exists").startsWith("257");
        client.expect("MKD /site-b/d", 550, "File exists");

        long begin = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            client.ok("MKD /site-b/n" + i);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("a quarter of a second of patience for each would be 10 s")
                .isLessThan(Duration.ofSeconds(8));
        assertThat(client.ok("STAT")).contains("The far end of site-b was away when it was last asked");
    }

    @Test
    void whatIsBeingRenamedAtTheFarEdgeIsListedUnderItsNewNameOnly() throws Exception {
        try (RawFtp other = RawFtp.login(ftp.port)) {
            other.expect("RNFR /site-b/d/f", 350);
            other.send("RNTO /site-b/d/moved"); // nobody answers for the far end's operation in this test
            await().until(() -> ftp.spool.all().size() == 1);

            assertThat(client.text("NLST /site-b/d").split("\r\n"))
                    .contains("moved")
                    .doesNotContain("f");
            assertThat(client.text("MLSD /site-b/d")).containsPattern("Size=6;.* moved\r\n");
            assertThat(client.ok("SIZE /site-b/d/moved")).isEqualTo("213 6");
            client.expect("SIZE /site-b/d/f", 550, "No such file or directory");

            // It has been made there; the receipt has not come yet.
            ftp.remote.remove("d/f");
            ftp.remote.file("d/moved", HELLO);
            assertThat(client.ok("SIZE /site-b/d/moved")).isEqualTo("213 6");
            assertThat(client.text("NLST /site-b/d").split("\r\n"))
                    .contains("moved")
                    .doesNotContain("f");
            assertThat(client.text("RETR /site-b/d/moved")).isEqualTo("hello\n");
        }
    }
}
