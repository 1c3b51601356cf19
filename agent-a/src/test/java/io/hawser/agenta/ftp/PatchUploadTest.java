package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** APPE, REST with STOR, and ESTO A, on files that the far end has or has not. */
class PatchUploadTest extends OnFtpServer {
    private static final byte[] FILE = RandomBytes.of(300_000);

    @BeforeEach
    void start() throws Exception {
        start(Duration.ofSeconds(10));
    }

    private void startAnewWithALittlePatience() throws Exception {
        start(Duration.ofSeconds(1));
    }

    private void start(Duration timeout) throws Exception {
        start(FtpFixture.start(config -> config.withFarLookTime(timeout).withUploaders()));
        ftp.remote.connect().file("f", new byte[100]);
    }

    private String refused(int code, String command) throws Exception {
        client.passivePort();
        client.send(command);
        return client.expect(code);
    }

    /** Who may only write is not told how large a file is, nor whether there is one. */
    @Test
    void restTellsAnAccountThatMayOnlyWriteNothing() throws Exception {
        ftp.remote.directory("dir");
        client.close();
        client = RawFtp.login(ftp.port, "anna");
        Set<String> answers = new HashSet<>();
        for (String name : new String[] {"f", "nothing", "dir"}) {
            rest("4711");
            answers.add(refused(550, "STOR /site-b/" + name).replace("/" + name, ""));
        }
        assertThat(answers).hasSize(1).allMatch(answer -> !answer.contains("100") && !answer.contains("SIZE"));

        ftp.remote.disconnect();
        client.upload("STOR /site-b/own", new byte[1234]);
        rest("4711");
        assertThat(refused(550, "STOR /site-b/own").replace("/own", "")).isIn(answers);
        try (Socket data = client.begin("STOR /site-b/broken")) {
            data.getOutputStream().write(new byte[1234]);
            client.awaitReceived(1234);
            data.setSoLinger(true, 0);
        }
        client.expect(426);
        rest("4711");
        assertThat(refused(554, "STOR /site-b/broken")).doesNotContain("1234");
    }

    private void rest(String position) throws Exception {
        client.expect("REST " + position, 350);
    }

    private Map<String, String> newestPatch() {
        TransferSnapshot newest = ftp.spool.newest();
        assertThat(newest.manifest().kind()).isEqualTo(TransferKind.PATCH);
        return newest.manifest().attributes();
    }

    private String blocks(String command, int from, long base) throws Exception {
        try (BlockStream data = BlockStream.connect(client.passivePort())) {
            client.expect(command, 150);
            byte[] part = Arrays.copyOfRange(FILE, from, FILE.length);
            data.raw(BlockStream.header(0, part.length, base)).raw(part);
            data.flags(BlockStream.EOF | BlockStream.EOD, 1);
            String markers = "";
            String reply = client.reply();
            while (reply.startsWith("1")) {
                markers += reply + "\n";
                reply = client.reply();
            }
            assertThat(reply).startsWith("226");
            return markers;
        }
    }

    @Test
    void offsetOnAFileThatIsNotThereMakesOneWithAHole() throws Exception {
        client.upload("ESTO A 500 /site-b/new", new byte[700]);

        assertThat(newestPatch())
                .containsEntry(Attributes.BASE_SIZE, Attributes.NO_BASE)
                .containsEntry(Attributes.OFFSET, "500")
                .doesNotContainKey(Attributes.BASE_FINGERPRINT);
        assertThat(client.ok("SIZE /site-b/new")).isEqualTo("213 1200");
        assertThat(client.ok("MLST /site-b/new")).contains("Size=1200;");
    }

    @Test
    void offsetOnAFileThatIsThereMayLieBehindItsEnd() throws Exception {
        client.upload("ESTO A 30 /site-b/f", new byte[10]);
        assertThat(newestPatch()).containsEntry(Attributes.BASE_SIZE, "100").containsEntry(Attributes.OFFSET, "30");
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 100");
        ftp.spool.finishAll();

        client.upload("ESTO A 130 /site-b/f", new byte[10]);
        assertThat(newestPatch()).containsEntry(Attributes.OFFSET, "130");
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 140");
        ftp.spool.finishAll();
        rest("101");
        assertThat(refused(554, "STOR /site-b/f")).contains("only 100 bytes");
        assertThat(refused(553, "ESTO A 1 /site-b")).contains("Is a directory");
    }

    @Test
    void whatIsBehindAPatchOrAModeIsNotKnownInTime() throws Exception {
        startAnewWithALittlePatience();
        client.upload("APPE /site-b/f", new byte[10]);
        client.upload("STOR /site-b/x", new byte[1000]);
        client.ok("SITE CHMOD 600 /site-b/x");
        try (RawFtp other = RawFtp.login(ftp.port)) {
            other.passivePort();
            other.send("APPE /site-b/x");
            rest("101");
            // What is there then is not known in time; neither is the mode that the other file would lose.
            assertThat(refused(450, "STOR /site-b/f")).contains("on its way");
            assertThat(other.expect(450)).contains("on its way");
        }
    }

    @Test
    void blocksOfEstoCountFromItsOffsetAndThoseOfRestFromTheBeginning() throws Exception {
        client.ok("MODE E");

        String markers = blocks("ESTO A 40 /site-b/f", 0, 0);
        assertThat(newestPatch()).containsEntry(Attributes.OFFSET, "40");
        assertThat(ftp.spool.content("site-b", "f")).isEqualTo(FILE);
        assertThat(markers).contains("111 Range Marker 0-300000\n");
        ftp.spool.finishAll();

        rest("0-60");
        markers = blocks("STOR /site-b/f", 60, 60);
        assertThat(newestPatch()).containsEntry(Attributes.OFFSET, "60");
        assertThat(ftp.spool.content("site-b", "f")).isEqualTo(Arrays.copyOfRange(FILE, 60, FILE.length));
        assertThat(markers).contains("111 Range Marker 60-300000\n");
        ftp.spool.finishAll();
    }

    private String gaps(String have, int... blocks) throws Exception {
        rest(have);
        try (BlockStream data = BlockStream.connect(client.passivePort())) {
            client.expect("STOR /site-b/f", 150);
            for (int i = 0; i < blocks.length; i += 2) {
                byte[] part = Arrays.copyOfRange(FILE, blocks[i], blocks[i + 1]);
                data.raw(BlockStream.header(0, part.length, blocks[i])).raw(part);
            }
            data.flags(BlockStream.EOF | BlockStream.EOD, 1);
            String replies = "";
            do {
                replies += client.reply() + "\n";
            } while (replies.lines().reduce((a, b) -> b).orElseThrow().startsWith("1"));
            return replies;
        }
    }

    @Test
    void severalGapsAreFilledInAnyOrder() throws Exception {
        client.ok("MODE E");

        String replies = gaps("10-20,30-90", 95, 120, 20, 30, 0, 4, 4, 10, 90, 95);

        assertThat(replies).contains("111 Range Marker 0-10,20-30,90-120\n").contains("226 ");
        assertThat(newestPatch())
                .containsEntry(Attributes.OFFSET, "0-10,20-30,90")
                .containsEntry(Attributes.BASE_SIZE, "100");
        ByteBuffer expected =
                ByteBuffer.allocate(50).put(FILE, 0, 10).put(FILE, 20, 10).put(FILE, 90, 30);
        assertThat(ftp.spool.content("site-b", "f")).isEqualTo(expected.array());
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 120");
        ftp.spool.finishAll();

        assertThat(gaps("0-10,20-100", 10, 20)).contains("226 ");
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 100");
    }

    @Test
    void gapsThatAreNotFilledAndBytesOutsideOfThemAreRefused() throws Exception {
        client.ok("MODE E");

        assertThat(gaps("0-10,20-30,40-100", 10, 20, 30, 38)).contains("the bytes at 38 never came");
        assertThat(gaps("0-10,20-30,40-100", 10, 20)).contains("the bytes at 30 never came");
        assertThat(gaps("0-10,20-100", 10, 21)).contains("426").contains("position 10 of 11");
        client.passivePort();
        rest("0-10,20-101");
        client.expect("STOR /site-b/f", 554, "only 100 bytes");
        rest("0-10,20-30");
        client.ok("MODE S");
        assertThat(refused(554, "STOR /site-b/f")).contains("MODE E");
        assertThat(ftp.spool.all()).allMatch(state -> state.phase() == SpoolPhase.CANCELLED);
    }

    @Test
    void estoFromZeroLeavesWhatItDoesNotReachAndMakesAFileWhereThereIsNone() throws Exception {
        client.upload("ESTO A 0 /site-b/f", new byte[10]);
        assertThat(newestPatch()).containsEntry(Attributes.BASE_SIZE, "100").containsEntry(Attributes.OFFSET, "0");
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 100");

        client.upload("ESTO A 0 /site-b/new", new byte[10]);
        assertThat(ftp.spool.all().get(1).manifest().kind()).isEqualTo(TransferKind.FILE);
    }

    @Test
    void blockBeforeThePositionOfRestIsRefusedAndThePatchIsDropped() throws Exception {
        client.ok("MODE E");
        try (BlockStream data = BlockStream.connect(client.passivePort())) {
            rest("0-60");
            client.expect("STOR /site-b/f", 150);
            client.expect(112);
            data.raw(BlockStream.header(0, 10, 59));

            assertThat(client.expect(426)).contains("position 59");
        }
        assertThat(ftp.spool.all()).allMatch(state -> state.phase() == SpoolPhase.CANCELLED);
    }

    @Test
    void appendWaitsForTheUploadBeforeIt() throws Exception {
        client.upload("STOR /site-b/f", new byte[7]);
        int before = ftp.remote.stats.get();
        try (Socket data = client.passive()) {
            client.send("APPE /site-b/f");
            await().until(() -> ftp.remote.stats.get() > before); // it was looked for in vain
            ftp.remote.file("f", new byte[7]);
            ftp.spool.finishAll();
            client.expect(150);
            data.getOutputStream().write(new byte[3]);
        }
        client.expect(226);

        assertThat(newestPatch()).containsEntry(Attributes.BASE_SIZE, "7").containsEntry(Attributes.OFFSET, "7");
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 10");
    }

    @Test
    void refusedPatchLeavesWhatTheFarEndHas() throws Exception {
        client.upload("APPE /site-b/f", new byte[3]);
        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 103");
        TransferSnapshot patch = ftp.spool.all().get(0);

        ftp.spool.receipt(patch.key(), "s", ReceiptStatus.FAILED, "the file has changed since the upload began");

        assertThat(client.ok("SIZE /site-b/f")).isEqualTo("213 100");
    }

    @Test
    void patchOfWhatIsItselfOnItsWayQueuesBehindIt() throws Exception {
        ftp.remote.disconnect();
        client.upload("STOR /site-b/log.tmp", new byte[70_000]);
        client.rename("/site-b/log.tmp", "/site-b/log");
        client.upload("STOR /site-b/log.tmp", new byte[3]);

        client.upload("APPE /site-b/log", new byte[500]);

        assertThat(newestPatch())
                .containsEntry(Attributes.BASE_SIZE, "70000")
                .containsEntry(Attributes.OFFSET, "70000")
                .doesNotContainKey(Attributes.BASE_FINGERPRINT)
                .hasEntrySatisfying(
                        Attributes.BASE_DIGEST, digest -> assertThat(digest).startsWith("hts256-"));
        assertThat(client.ok("SIZE /site-b/log")).isEqualTo("213 70500");
    }

    @Test
    void restOnWhatIsOnItsWayIsAPatchToo() throws Exception {
        ftp.remote.disconnect();
        client.upload("STOR /site-b/x", new byte[1000]);
        rest("1001");
        assertThat(refused(554, "STOR /site-b/x")).contains("only 1000 bytes");
        rest("400");
        client.upload("STOR /site-b/x", new byte[10]);
        assertThat(newestPatch()).containsEntry(Attributes.OFFSET, "400").containsKey(Attributes.BASE_DIGEST);
        assertThat(client.ok("SIZE /site-b/x")).isEqualTo("213 1000");
    }

    @Test
    void anApplicationTakesNoPatchesAndItsClientIsToldBeforeItSends() throws Exception {
        ftp.remote.becomeApplication();
        for (String name : new String[] {"f", "new", "own"}) {
            if (name.equals("own")) {
                client.upload("STOR /site-b/own", new byte[10]); // on its way, so its size and digest are known here
            }
            assertThat(refused(550, "APPE /site-b/" + name)).contains("takes whole files", "use STOR");
            rest("5");
            assertThat(refused(550, "STOR /site-b/" + name)).contains("takes whole files");
            assertThat(refused(550, "ESTO A 5 /site-b/" + name)).contains("takes whole files");
        }
        assertThat(ftp.spool.all()).hasSize(1);
        client.expect("SIZE /site-b/f", 550, "the destination is an application");
        assertThat(client.ok("SIZE /site-b/own")).isEqualTo("213 10");
        client.ok("CWD /site-b/any");
        client.ok("MKD /site-b/dir");
        client.upload("STOR /site-b/f", new byte[3]);
    }

    /** It says so too late to be heard: while it is away nobody knows that it is an application. */
    @Test
    void aPatchForAnApplicationThatIsAwayFailsWithItsReason() throws Exception {
        ftp.remote.disconnect();
        client.upload("STOR /site-b/own", new byte[10]);
        client.upload("APPE /site-b/own", new byte[5]);
        TransferSnapshot patch = ftp.spool.all().get(1);
        String reason = "This destination is an application, which takes whole objects.";
        ftp.spool.receipt(patch.key(), "app", ReceiptStatus.FAILED, reason);
        assertThat(client.ok("SITE RECEIPT " + patch.key().id()))
                .contains("Failed: ")
                .contains(reason);
    }

    /** Two sessions append to one file at once: the second would be for a file that the first one changes. */
    private void secondAppendIsRefusedWhileTheFirstIsOpen(String path) throws Exception {
        try (RawFtp other = RawFtp.login(ftp.port)) {
            int before = ftp.spool.all().size();
            try (Socket data = other.begin("APPE " + path)) {
                assertThat(refused(450, "APPE " + path)).contains("another upload of it is under way");
                rest("3");
                assertThat(refused(450, "STOR " + path)).contains("another upload of it is under way");
                data.getOutputStream().write(new byte[5]);
            }
            other.expect(226);
            assertThat(ftp.spool.all()).hasSize(before + 1);
        }
    }

    @Test
    void secondAppendToWhatIsOnItsWayIsRefusedWhileTheFirstIsOpen() throws Exception {
        startAnewWithALittlePatience();
        ftp.remote.disconnect();
        client.upload("STOR /site-b/x", new byte[10]);
        secondAppendIsRefusedWhileTheFirstIsOpen("/site-b/x");
    }

    @Test
    void secondAppendToWhatTheFarEndHasIsRefusedWhileTheFirstIsOpen() throws Exception {
        startAnewWithALittlePatience();
        secondAppendIsRefusedWhileTheFirstIsOpen("/site-b/f");
        ftp.spool.finishAll();
        client.upload("APPE /site-b/f", new byte[3]);
    }

    /** Both have asked the far end for the file before it answers one of them. */
    @Test
    void ofTwoAppendsThatBeginTogetherOneWaitsForTheOther() throws Exception {
        ftp.remote.fallSilent();
        try (RawFtp other = RawFtp.login(ftp.port)) {
            other.expect("NOOP", 200);
            try (Socket first = client.passive();
                    Socket second = other.passive()) {
                client.send("APPE /site-b/f");
                other.send("APPE /site-b/f");
                await().until(() -> ftp.remote.openQuestions() == 2);
                ftp.remote.goOn();
                await().until(() -> ftp.spool.all().size() == 1);
                RawFtp quick = client.socket().getInputStream().available() > 0 ? client : other;
                quick.expect(150);
                RawFtp slow = quick == client ? other : client;
                (quick == client ? first : second).getOutputStream().write(new byte[5]);
                (quick == client ? first : second).close();
                quick.expect(226);
                ftp.remote.file("f", new byte[105]);
                ftp.spool.finishAll();
                slow.expect(150);
                (quick == client ? second : first).close();
                slow.expect(226);
            }
        }
        assertThat(ftp.spool.all())
                .extracting(state -> state.manifest().attributes().get(Attributes.BASE_SIZE))
                .containsExactly("100", "105");
    }

    @Test
    void appendToARenamedFileWaitsForTheAppendUnderItsOldName() throws Exception {
        startAnewWithALittlePatience();
        ftp.remote.disconnect();
        client.upload("STOR /site-b/x", new byte[10]);
        try (RawFtp other = RawFtp.login(ftp.port)) {
            try (Socket data = other.begin("APPE /site-b/x")) {
                client.rename("/site-b/x", "/site-b/y");
                assertThat(refused(450, "APPE /site-b/y")).contains("on its way");
                data.getOutputStream().write(new byte[5]);
            }
            other.expect(226);
        }
    }

    @Test
    void abortEndsTheWait() throws Exception {
        ftp.remote.disconnect();
        client.upload("STOR /site-b/x", new byte[1000]);
        client.ok("SITE CHMOD 600 /site-b/x");
        int before = ftp.spool.all().size();
        client.passivePort();
        client.expect("APPE /site-b/x\r\nABOR", 426);
        client.expect(226);
        client.ok("NOOP");
        assertThat(ftp.spool.all()).hasSize(before);
    }
}
