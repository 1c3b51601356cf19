package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.testkit.FaultyStorage;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renames, deletes, times and modes of what is on its way, with no far end there at all. */
class NamespaceCommandsTest extends OnUsualFtpServer {

    private void store(String path, String content) throws Exception {
        client.upload("STOR " + path, content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void uploadUnderATemporaryNameAndRenameNeedNoFarEnd() throws Exception {
        store("/t/x.tmp", "first");

        client.rename("/t/x.tmp", "/t/x");

        assertThat(ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.RENAME);
        assertThat(ftp.spool.newest().manifest().paths()).containsExactly("x.tmp", "x");
        assertThat(ftp.spool.newest().manifest().attributes()).containsEntry(Attributes.RENAMED_TO, "x");
        assertThat(client.ok("SIZE /t/x")).isEqualTo("213 5");
        client.expect("SIZE /t/x.tmp", 550, "No such file or directory");
        client.expect("RNFR /t/x.tmp", 550, "No such file or directory");
        client.expect("RNTO /t/y", 503, "RNFR");
        store("/t/x.tmp", "the second");
        assertThat(client.ok("SIZE /t/x.tmp")).isEqualTo("213 10");
        assertThat(client.ok("SIZE /t/x")).isEqualTo("213 5");
    }

    /** The far end's answer may overtake the receipt of the rename. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void fileWhoseRenameHasJustTakenEffectIsFound() throws Exception {
        store("/t/old", "1");
        TransferSnapshot upload = ftp.spool.newest();
        client.rename("/t/old", "/t/new");
        ftp.spool.finish(upload.key());
        ftp.remote.connect().file("new", new byte[1]);

        client.send("SITE CHMOD 640 /t/new"); // its reply waits for the far end's receipt
        await().until(() -> ftp.spool.newest().manifest().kind() == TransferKind.SET_MODE);
        assertThat(ftp.spool.newest().manifest().name()).isEqualTo("new");
    }

    @Test
    void deletedFileIsGoneAndADirectoryIsNone() throws Exception {
        store("/t/d/x", "1");
        client.ok("MKD /t/e");

        client.expect("DELE /t/e", 550, "Is a directory");
        client.expect("RMD /t/d/x", 550, "Not a directory");
        client.expect("RMD /t/d", 550, "Directory not empty");
        client.ok("DELE /t/d/x");
        client.expect("DELE /t/d/x", 550, "No such file or directory");
        client.expect("DELE /", 550, "Operation not permitted");
        client.expect("RMD /t", 550, "Operation not permitted");
    }

    /** The far end may have had them before, with files in them, and then refuses to remove them. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void onlyTheFarEndKnowsThatADirectoryOnItsWayIsEmpty() throws Exception {
        client.ok("MKD /t/made");
        store("/t/implied/x", "1");
        client.ok("DELE /t/implied/x");
        int sent = ftp.spool.all().size();
        for (String directory : List.of("/t/made", "/t/implied")) {
            client.expect("RMD " + directory, 451, "whether it is empty");
        }
        assertThat(ftp.spool.all()).hasSize(sent);

        ftp.remote.connect().file("made/before", new byte[1]);
        client.send("RMD /t/made");
        await().until(() -> ftp.spool.all().size() == sent + 1);
        ftp.spool.receipt(ftp.spool.newest().key(), "t", ReceiptStatus.FAILED, "Directory not empty");
        assertThat(client.expect(550)).contains("Directory not empty");
        client.ok("RMD /t/implied");
    }

    @Test
    void directoryThatIsKnownToBeNewIsRemovedAtOnce() throws Exception {
        ftp.remote.connect();
        client.ok("MKD /t/new");
        ftp.remote.disconnect();

        client.ok("RMD /t/new");
        assertThat(ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.REMOVE_DIRECTORY);
    }

    private void breakOff(String path) throws Exception {
        Socket data = client.begin("STOR " + path);
        data.getOutputStream().write(1);
        client.awaitReceived(1);
        client.abort();
        data.close();
        assertThat(ftp.spool.newest().phase()).isEqualTo(SpoolPhase.INCOMPLETE);
    }

    /** An upload that is not complete makes no directory. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void directoryThatOnlyABrokenUploadNamesIsNotThere() throws Exception {
        ftp.remote.connect();
        breakOff("/t/d/partial");

        client.expect("RNFR /t/d", 550, "No such file or directory");
        client.expect("RMD /t/d", 550, "No such file or directory");
        assertThat(ftp.spool.all()).hasSize(1);

        store("/t/x", "1");
        client.expect("RNFR /t/x", 350);
        client.expect("RNTO /t/d/x", 553, "No such file or directory");
        store("/t/d/whole", "1");
        client.expect("RNFR /t/d", 350);
    }

    @Test
    void deleteCancelsWhatIsUndeliveredAndDeletesWhatWasDelivered() throws Exception {
        store("/t/f", "first");
        ftp.spool.finishAll();
        store("/t/f", "second");
        TransferKey upload = ftp.spool.newest().key();
        client.ok("MFMT 20200101000000 /t/f");

        assertThat(client.ok("DELE /t/f")).contains("cancelled");

        TransferSnapshot deletion = ftp.spool.newest();
        assertThat(deletion.manifest().kind()).isEqualTo(TransferKind.DELETE);
        assertThat(deletion.manifest().attributes()).containsEntry(Attributes.IF_EXISTS, Attributes.YES);
        assertThat(ftp.spool.all())
                .filteredOn(
                        state -> state.key().equals(upload) || state.manifest().kind() == TransferKind.SET_TIME)
                .hasSize(2)
                .allMatch(state -> state.phase() == SpoolPhase.CANCELLED || state.isBeingCancelled());
        client.expect("SIZE /t/f", 550, "No such file");
    }

    /** The rename would fail without the file. */
    @Test
    void deleteAfterARenameCancelsNothing() throws Exception {
        store("/t/a", "content");
        client.expect("RNFR /t/a", 350, "");
        client.ok("RNTO /t/b");

        assertThat(client.ok("DELE /t/b")).doesNotContain("cancelled");
        assertThat(ftp.spool.all()).noneMatch(state -> state.phase() == SpoolPhase.CANCELLED);
    }

    @Test
    void deleteDropsAnUploadThatBrokeOff() throws Exception {
        ftp.remote.connect();
        breakOff("/t/partial");

        client.ok("DELE /t/partial");

        assertThat(ftp.spool.newest().phase()).isEqualTo(SpoolPhase.CANCELLED);
        assertThat(ftp.spool.all()).hasSize(1);
    }

    @Test
    void deleteOfAnUploadThatBrokeOffIsWholeWhereTheDestinationIsAnApplication() throws Exception {
        ftp.remote.connect();
        ftp.remote.becomeApplication();
        breakOff("/t/f");

        client.ok("DELE /t/f");

        assertThat(ftp.spool.newest().phase()).isEqualTo(SpoolPhase.CANCELLED);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void deleteOfAnUploadThatBrokeOffDeletesTheFileOfItsNameToo() throws Exception {
        breakOff("/t/f");
        assertThat(client.expect("DELE /t/f", 450))
                .contains("the far end is not connected", "the upload that broke off is dropped");
        assertThat(ftp.spool.newest().phase()).isEqualTo(SpoolPhase.CANCELLED);

        breakOff("/t/f");
        ftp.remote.connect().file("f", new byte[1]);
        client.send("DELE /t/f");
        await().until(() -> ftp.spool.newest().manifest().kind() == TransferKind.DELETE);
        ftp.spool.receipt(ftp.spool.newest().key(), "t", ReceiptStatus.DELIVERED, "");
        assertThat(client.expect(250)).contains("Deleted.");
    }

    @Test
    void deleteOfAnUploadThatBrokeOffIsAnsweredWhenThatIsDurable() throws Exception {
        breakOff("/t/partial");
        ftp.spool.disk.failCall(1, FaultyStorage.Fault.EIO, false);

        client.expect("DELE /t/partial", 451, "Input/output error");
    }

    @Test
    void renameIsRefusedWhereItMakesNoSense() throws Exception {
        store("/t/x", "1");
        client.ok("MKD /t/d");
        for (String[] wrong : new String[][] {
            {"/t/x", "/u/x", "cross-device"},
            {"/t/x", "/t/d", "File exists"},
            {"/t/d", "/t/x", "Not a directory"},
            {"/t/d", "/t/d/below", "Invalid argument"},
            {"/t/x", "/t/x/below", "Not a directory"}
        }) {
            client.expect("RNFR " + wrong[0], 350);
            client.expect("RNTO " + wrong[1], 553, wrong[2]);
        }
        assertThat(ftp.spool.all()).hasSize(2);
    }

    @Test
    void timesAndModesAreSetByAllTheirCommands() throws Exception {
        store("/t/some name", "1");

        assertThat(client.ok("MFMT 20200102030405 /t/some name")).isEqualTo("213 Modify=20200102030405; /t/some name");
        assertThat(ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.SET_TIME);
        assertThat(ftp.spool.newest().manifest().attributes())
                .containsEntry(Attributes.MODIFIED_MILLIS, "1577934245000");
        assertThat(client.ok("MDTM /t/some name")).isEqualTo("213 20200102030405");
        client.ok("MDTM 20210102030405 /t/some name");
        assertThat(client.ok("MDTM /t/some name")).isEqualTo("213 20210102030405");
        client.ok("SITE UTIME /t/some name 20100102030405 20220102030405 20100102030405 UTC");
        assertThat(client.ok("MDTM /t/some name")).isEqualTo("213 20220102030405");
        client.ok("SITE UTIME 202301020304 /t/some name");
        assertThat(client.ok("MDTM /t/some name")).isEqualTo("213 20230102030400");
        client.ok("SITE CHMOD 0640 /t/some name");
        assertThat(ftp.spool.newest().manifest().kind()).isEqualTo(TransferKind.SET_MODE);
        assertThat(ftp.spool.newest().manifest().attributes()).containsEntry(Attributes.MODE, "640");
    }

    /** A second time for what was delivered from here is answered before the far end has set it. */
    @Test
    void timeThatIsOnItsWayIsToldBeforeTheFarEndHasIt() throws Exception {
        store("/t/d/f", "1");
        ftp.remote.connect().file("d/f", new byte[1]);
        ftp.spool.finishAll();
        assertThat(client.ok("MDTM /t/d/f")).isNotEqualTo("213 20200102030405"); // what the far end says is remembered

        client.ok("MFMT 20200102030405 /t/d/f");

        assertThat(client.ok("MDTM /t/d/f")).isEqualTo("213 20200102030405");
        assertThat(client.ok("MLST /t/d/f")).contains("Modify=20200102030405;");
        try (Socket data = client.begin("MLSD /t/d")) {
            assertThat(new String(data.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("Modify=20200102030405;");
        }
        client.expect(226);
        ftp.spool.finishAll();
        assertThat(client.ok("MDTM /t/d/f"))
                .as("the far end's answer was not remembered meanwhile")
                .isNotEqualTo("213 20200102030405");
    }

    @Test
    void nonsenseIsAnArgumentError() throws Exception {
        for (String command : List.of(
                "MFMT",
                "MFMT 2020 x",
                "MFMT 20201332000000 x",
                "MFMT 20200102030405",
                "SITE CHMOD",
                "SITE CHMOD 888 x",
                "SITE CHMOD 1777 x",
                "SITE CHMOD u+x x",
                "SITE UTIME x",
                "SITE UTIME 99999999999999 x",
                "RNFR ",
                "DELE ")) {
            assertThat(client.expect(command, 501)).as(command).isNotEmpty();
        }
    }
}
