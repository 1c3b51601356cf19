package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.journal.RecordKindsContract;
import io.hawser.store.log.LogPosition;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Checked;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a spool finds when it starts: lost content, a damaged journal, files of nobody; and the pieces that read them. */
class SpoolRecoveryTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final byte[] CONTENT = SpoolFixture.bytes(FRAGMENT + 500, 1);

    @TempDir
    Path directory;

    private SpoolFixture open(boolean keepUntilDelivered) throws StorageException {
        return new SpoolFixture(directory, SpoolFixture.config().withKeepUntilDelivered(keepUntilDelivered)).started();
    }

    private Path data(TransferKey key) {
        return directory.resolve("data").resolve(key.id() + ".data");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void contentThatIsGoneIsRefusedAndTheRestIsSent(boolean brokered) throws Exception {
        TransferKey lost;
        try (SpoolFixture it = open(true)) {
            it.upload("lost", CONTENT);
            it.upload("kept", CONTENT);
            it.upload("empty", new byte[0]);
            TransferKey key = it.keyOf("lost");
            lost = key;
            if (brokered) {
                it.run(() -> it.spool.committed(key, List.of("one")));
                it.awaitPhase(key, SpoolPhase.BROKERED);
            }
        }
        Files.delete(data(lost));

        try (SpoolFixture it = open(true)) {
            assertThat(it.state(lost).phase()).isEqualTo(brokered ? SpoolPhase.BROKERED : SpoolPhase.SPOOLED);
            assertThat(it.load(lost, 0).isRefused()).isTrue();
            assertThat(it.load(it.keyOf("kept"), 1).get())
                    .isEqualTo(java.util.Arrays.copyOfRange(CONTENT, FRAGMENT, CONTENT.length));
            assertThat(it.state(it.keyOf("empty")).phase()).isEqualTo(SpoolPhase.SPOOLED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheNextHopHasIsKeptAsItIsConfigured(boolean kept) throws Exception {
        TransferKey brokered;
        try (SpoolFixture it = open(true)) {
            it.upload("one", CONTENT);
            TransferKey key = it.keyOf("one");
            brokered = key;
            it.run(() -> it.spool.committed(key, List.of("one")));
            it.awaitPhase(key, SpoolPhase.BROKERED);
        }
        assertThat(data(brokered)).exists();

        try (SpoolFixture it = open(kept)) {
            assertThat(it.state(brokered).phase()).isEqualTo(SpoolPhase.BROKERED);
            assertThat(Files.exists(data(brokered))).isEqualTo(kept);
        }
    }

    @Test
    void aDamagedRecordOfTheJournalCostsItsTransferAlone() throws Exception {
        try (SpoolFixture it = open(true)) {
            assertThat(it.sendSmall("first of all", SpoolFixture.bytes(300, 2))
                            .outcome()
                            .refusal())
                    .isNull();
            it.upload("second", CONTENT);
        }
        Path segment = Damage.file(directory.resolve("journal"), ".log");
        Damage.flip(segment, Damage.find(segment, "first of all".getBytes(StandardCharsets.US_ASCII)));

        try (SpoolFixture it = open(true)) {
            assertThat(it.onLoop(() -> it.spool.states()))
                    .extracting(state -> state.manifest().name())
                    .containsExactly("second");
            assertThat(it.load(it.keyOf("second"), 0).isRefused()).isFalse();
        }
    }

    /** A record that cannot be read may have been the one that speaks of a file. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDamagedJournalDeletesNoContent(boolean isRecordDamaged) throws Exception {
        TransferKey key;
        try (SpoolFixture it = open(true)) {
            it.upload("the one", CONTENT);
            key = it.keyOf("the one");
        }
        Path orphan = Files.write(directory.resolve("data").resolve(new TransferId(9, 9) + ".data"), new byte[1]);
        Path segment = Damage.file(directory.resolve("journal"), ".log");
        if (isRecordDamaged) {
            Damage.flip(segment, Damage.find(segment, "the one".getBytes(StandardCharsets.US_ASCII)));
        } else {
            Files.delete(directory.resolve("journal/segments"));
        }
        assertThat(Checked.of(new SpoolCheck(), directory).findings())
                .filteredOn(finding -> finding.kind().equals("spool.orphan"))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.advice()).contains("next start keeps it"));

        for (int life = 0; life < 2; life++) { // the list is whole again in the second
            open(true).close();
            assertThat(data(key)).exists();
            assertThat(orphan).exists();
        }
        assertThat(Checked.of(new SpoolCheck(), directory).findings())
                .filteredOn(finding -> finding.kind().equals("spool.orphan"))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.advice()).contains("next start keeps it"));

        Files.delete(directory.resolve("keep-orphans"));
        if (!isRecordDamaged) {
            open(true).close();
            assertThat(orphan).doesNotExist();
        }
    }

    private static Manifest manifest(List<String> paths) {
        return new Manifest(
                KEY, 7, new Topic("site-b"), TransferKind.FILE, "name", paths, Manifest.UNKNOWN_SIZE, 4096, Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "another"})
    void aTransferThatTouchesAnotherPathThanItsNameKeepsIt(String path) throws Exception {
        SpoolRecord opened = new SpoolRecord.Opened(manifest(List.of(path)), null);

        assertThat(RecordKindsContract.again(SpoolRecordKinds.KINDS, opened)).isEqualTo(opened);
    }

    /** Space was short: the next hop has it, and its bytes here were given up. */
    @Test
    void aSmallTransferThatIsCarriedForwardWithoutItsBytesHasNone() {
        Manifest manifest = manifest(List.of("name"));
        Commit commit = new Commit(
                5, 1, SampleTransfer.of(manifest, new byte[5]).commit().digest());
        SpoolTransfer transfer = new SpoolTransfer(manifest, null, () -> 0);
        transfer.apply(new SpoolRecord.Small(manifest, commit), new LogPosition(1, 4096), 128);
        transfer.apply(new SpoolRecord.Brokered(KEY, List.of("one")), new LogPosition(1, 8192), 128);
        assertThat(transfer.toRecords().get(0)).isInstanceOf(SpoolRecord.Small.class);
        transfer.setContentDropped();

        SpoolTransfer next = new SpoolTransfer(manifest, null, () -> 0);
        transfer.toRecords().forEach(record -> next.apply(record, new LogPosition(2, 4096), 128));

        assertThat(next.smallPosition()).isNull();
        assertThat(next.content()).isNull();
        assertThat(next.phase()).isEqualTo(SpoolPhase.BROKERED);
        assertThat(next.commit()).isEqualTo(commit);
    }

    /** Else it would keep its segment, and all behind it, until the next hop is there again. */
    @Test
    void aTransferWhoseCancelIsDurableMayBeCarriedForward() {
        Refusal why = new Refusal(ErrorCode.CANCELLED, "changed my mind");
        SpoolTransfer transfer = new SpoolTransfer(manifest(List.of("name")), null, () -> 0);
        transfer.apply(new SpoolRecord.Opened(transfer.manifest(), null), new LogPosition(1, 4096), 128);
        assertThat(transfer.isAtRest()).isTrue();
        transfer.milestones().setEndWanted(why);
        assertThat(transfer.isAtRest()).isFalse();

        transfer.apply(new SpoolRecord.Cancelled(KEY, why, true), new LogPosition(1, 8192), 128);

        assertThat(transfer.isAtRest()).isTrue();
        assertThat(transfer.toRecords()).endsWith(new SpoolRecord.Cancelled(KEY, why, true));

        transfer.milestones().cancelledNow(Outcome.of(KEY)); // before what was carried forward is durable
        transfer.apply(new SpoolRecord.Cancelled(KEY, why, true), new LogPosition(2, 8192), 128);
        assertThat(transfer.milestones().isCancelInDoubt()).isFalse();

        Refusal later = new Refusal(ErrorCode.ID_USED, "it was used");
        transfer.apply(new SpoolRecord.Cancelled(KEY, later, false), new LogPosition(2, 8320), 128);
        assertThat(transfer.refusal()).as("the first reason stands").isEqualTo(why);
    }

    /** What the next hop has is not taken for an upload that broke off. */
    @Test
    void aDamagedCommitRecordDoesNotUndoWhatTheNextHopSaid() {
        SpoolTransfer transfer = new SpoolTransfer(manifest(List.of("name")), null, () -> 0);
        Commit commit = Commit.of(0, TreeDigest.ofSingle(new byte[0], 0, 4096));
        transfer.apply(new SpoolRecord.Opened(transfer.manifest(), null), new LogPosition(1, 4096), 128);
        transfer.apply(new SpoolRecord.Brokered(KEY, List.of("one")), new LogPosition(1, 4352), 128);
        assertThat(transfer.phase()).isEqualTo(SpoolPhase.BROKERED);

        transfer.apply(new SpoolRecord.Committed(KEY, commit), new LogPosition(2, 4096), 128); // carried forward

        assertThat(transfer.phase()).isEqualTo(SpoolPhase.BROKERED);
        assertThat(transfer.commit()).isEqualTo(commit);
    }

    @Test
    void aTransferThatWasCarriedForwardIsOneTransfer() {
        TransferRegister register = new TransferRegister(new SpoolConfig.Bounds(1, 0, 0), () -> 0);
        SpoolRecordApplier fold = new SpoolRecordApplier(register, null);
        SpoolRecord opened = new SpoolRecord.Opened(manifest(List.of("name")), null);
        fold.apply(opened, new LogPosition(1, 4096), 128);
        SpoolTransfer first = register.get(KEY);
        fold.apply(new SpoolRecord.Suspended(KEY, 5, "gone"), new LogPosition(1, 4224), 128);
        fold.apply(opened, new LogPosition(2, 4096), 128);

        assertThat(register.get(KEY)).isSameAs(first).isNotNull();
        assertThat(register.all()).hasSize(1);
        assertThat(fold.lastNumber()).isEqualTo(7);
    }
}
