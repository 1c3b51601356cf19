package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.check.Finding;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Checked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check of a spool: each kind of damage is planted, and found. */
class SpoolCheckTest {
    private static final int LENGTH = 3 * FRAGMENT + 500;

    @TempDir
    Path directory;

    private TransferKey large;
    private TransferKey incomplete;

    /** A large object, a small one, and an upload that broke off. */
    @BeforeEach
    void aSpoolWasUsed() throws Exception {
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            it.upload("large", SpoolFixture.bytes(LENGTH, 1));
            assertThat(it.sendSmall("small", SpoolFixture.bytes(700, 2))
                            .outcome()
                            .refusal())
                    .isNull();
            Upload upload = it.begin(SpoolFixture.request("broken"));
            it.write(upload, SpoolFixture.bytes(2 * FRAGMENT, 3), 0)
                    .forEach(written -> assertThat(written.outcome().refusal()).isNull());
            large = it.keyOf("large");
            incomplete = it.keyOf("broken");
        }
    }

    private Path spool() {
        return directory.resolve("agent-a");
    }

    /** What is left of a spool of which some is lost. */
    @ParameterizedTest
    @CsvSource({
        "data+journal, true",
        "data+node.id+epoch, true",
        "brokers+node.id+epoch, true",
        "data, false",
        "brokers, false",
        "journal+node.id+epoch, false"
    })
    void isRecognisedAlsoWhenSomeOfItIsLost(String names, boolean expected) throws Exception {
        Path left = Files.createDirectory(directory.resolve("left"));
        for (String name : names.split("\\+")) {
            if (name.equals("data") || name.equals("journal")) {
                Files.createDirectory(left.resolve(name));
            } else {
                Files.createFile(left.resolve(name));
            }
        }

        assertThat(new SpoolCheck().recognises(new DiskStorage(), left)).isEqualTo(expected);
    }

    private Checked check() throws StorageException {
        return Checked.of(new SpoolCheck(), spool());
    }

    private Checked checkQuickly() throws StorageException {
        return Checked.quickly(new SpoolCheck(), spool());
    }

    private Path data(TransferKey key, String ending) {
        return spool().resolve("data").resolve(key.id() + ending);
    }

    @Test
    void whatAStoppedSpoolLeavesIsClean() throws Exception {
        Checked result = check();
        result.assertClean();
        assertThat(result.counts()).containsEntry("transfers", 3L).containsEntry("fragments", 6L);
        checkQuickly().assertClean();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void idOfAnotherNodeIsFoundAndRefused() throws Exception {
        char[] id = Files.readString(spool().resolve("node.id")).toCharArray();
        id[5] = id[5] == '7' ? '8' : '7'; // still an id
        Files.writeString(spool().resolve("node.id"), new String(id));

        check().assertDamage("spool.identity", spool().toString());
        assertRefused("the journal holds transfers of node " + large.publisher());
    }

    @Test
    void aDirectoryWithoutJournalOrDataIsNoSpool() throws Exception {
        DiskStorage storage = new DiskStorage();
        for (String name : List.of("journal", "data")) {
            Path other = Files.createDirectories(directory.resolve("only " + name));
            Files.createDirectory(other.resolve(name));
            assertThat(new SpoolCheck().recognises(storage, other)).isFalse();
        }
        assertThat(new SpoolCheck().recognises(storage, spool())).isTrue();
    }

    /** Nothing is to be said of digests that nobody needs any more. */
    @Test
    void contentAndDigestsOfWhatTheNextHopHasMayBeGone() throws Exception {
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            it.run(() -> it.spool.committed(large, List.of("one")));
            it.awaitPhase(large, SpoolPhase.BROKERED);
        }
        Files.delete(data(large, ".leaves"));
        check().assertClean();
        Files.delete(data(large, ".data"));
        check().assertClean();
    }

    @Test
    void whatTheNextHopHasIsNotMissedHere() throws Exception {
        try (SpoolFixture it =
                new SpoolFixture(spool(), SpoolFixture.config().withKeepUntilDelivered(false)).started()) {
            it.run(() -> it.spool.committed(large, List.of("one")));
            it.awaitPhase(large, SpoolPhase.BROKERED);
            org.awaitility.Awaitility.await().until(() -> !Files.exists(data(large, ".leaves")));
        }
        check().assertClean();
    }

    @Test
    void whatWasCancelledIsNotMissedEither() throws Exception {
        TransferKey cancelled;
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            Upload upload = it.begin(SpoolFixture.request("withdrawn"));
            it.write(upload, SpoolFixture.bytes(2 * FRAGMENT, 4), 0)
                    .forEach(written -> assertThat(written.outcome().refusal()).isNull());
            cancelled = it.keyOf("withdrawn");
            it.run(() -> upload.cancel("changed my mind"));
            it.awaitPhase(cancelled, SpoolPhase.CANCELLED);
            org.awaitility.Awaitility.await().until(() -> !Files.exists(data(cancelled, ".leaves")));
        }
        check().assertClean();

        Files.write(data(cancelled, ".data"), new byte[10]);
        check().assertNote("spool.orphan", data(cancelled, ".data").toString());
    }

    @Test
    void damagedTopicsAreFound() throws Exception {
        Path topics = spool().resolve("topics");
        new TopicsFile(new DiskStorage(), spool()).write(List.of(new Topic("site-b")));
        check().assertClean();

        Damage.FLIP.apply(topics, topics, topics);

        checkQuickly().assertDamage("spool.topics", topics.toString());
    }

    @Test
    void aDamagedDestinationOfAProgramsSpoolIsFound() throws Exception {
        new BrokerAddressFile(new DiskStorage(), spool()).bind(List.of(), List.of("127.0.0.1:13400"));
        Path destination = spool().resolve("destination");
        check().assertClean();

        String text = Files.readString(destination);
        Files.writeString(destination, text.substring(0, text.indexOf("3400")));

        checkQuickly().assertDamage("spool.destination", destination.toString());
    }

    /** The advice was to upload it again. */
    @Test
    void ofDamagedContentThatTheNextHopHasNothingIsToBeSentAgain() throws Exception {
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            it.run(() -> it.spool.committed(large, List.of("one")));
            it.awaitPhase(large, SpoolPhase.BROKERED);
        }
        Damage.flip(data(large, ".data"), FRAGMENT + 17);

        Finding found = check().assertDamage("spool.content-damaged", data(large, ".data") + " at " + FRAGMENT);
        assertThat(found.meaning() + found.advice())
                .contains("the broker has all of it")
                .doesNotContain("Upload it again");
    }

    /** A new identity had it refused for good by the broker, which knows it as another publisher's. */
    @Test
    void aSpoolWithoutItsIdentityOrWithAnOldEpochIsNotOpened() throws Exception {
        byte[] id = Files.readAllBytes(spool().resolve("node.id"));
        Files.delete(spool().resolve("node.id"));
        assertThat(check().assertDamage("node.id", spool()).meaning())
                .endsWith("orphan what it has published.")
                .doesNotContain("..");
        assertRefused("node.id is missing");
        Files.write(spool().resolve("node.id"), id);
        Files.delete(spool().resolve("epoch"));
        check().assertDamage("node.epoch", spool().toString());
        assertRefused("epoch is missing");
        Files.writeString(spool().resolve("epoch"), "0\n");
        assertRefused("no epoch may be used twice");
        assertThat(Files.readString(spool().resolve("epoch"))).isEqualTo("0\n");
        Files.writeString(spool().resolve("epoch"), "1000000\n");
        new SpoolFixture(spool(), SpoolFixture.config()).started().close();
    }

    private void assertRefused(String why) {
        for (int start = 0; start < 3; start++) {
            assertThatThrownBy(() -> new SpoolFixture(spool(), SpoolFixture.config()).close())
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining(why);
        }
    }

    @Test
    void aFlippedBitInContentIsFound() throws Exception {
        Damage.flip(data(large, ".data"), FRAGMENT + 17);

        Finding found = check().assertDamage("spool.content-damaged", data(large, ".data") + " at " + FRAGMENT);
        assertThat(found.meaning() + found.advice()).contains("\"large\"");
        checkQuickly().assertClean();
    }

    @Test
    void aFlippedBitInWhatBrokeOffIsFound() throws Exception {
        Damage.flip(data(incomplete, ".data"), 17);

        check().assertDamage("spool.content-damaged", data(incomplete, ".data") + " at 0");
    }

    @Test
    void missingContentIsFound() throws Exception {
        Files.delete(data(large, ".data"));

        check().assertDamage("spool.content-missing", data(large, ".data").toString());
    }

    @Test
    void contentThatIsTooShortIsFound() throws Exception {
        Damage.truncate(data(large, ".data"), LENGTH - 1);
        checkQuickly().assertDamage("spool.content-short", data(large, ".data").toString());

        Damage.truncate(data(incomplete, ".data"), FRAGMENT);
        check().assertDamage("spool.content-short", data(incomplete, ".data") + " at " + FRAGMENT);
    }

    @Test
    void missingDigestsAreFound() throws Exception {
        Files.delete(data(large, ".leaves"));

        check().assertDamage("spool.leaves-missing", data(large, ".leaves").toString());
    }

    @Test
    void aDamagedDigestIsFound() throws Exception {
        Damage.flip(data(large, ".leaves"), LeafSlot.position(2) + 30);

        check().assertDamage("spool.slot-missing", data(large, ".leaves") + " at " + LeafSlot.position(2));
    }

    @Test
    void digestsThatDoNotMakeTheCommitAreFound() throws Exception {
        byte[] slot = new byte[LeafSlot.LENGTH_BYTES];
        new LeafSlot(1, FRAGMENT, 0, new byte[32]).putInto(java.nio.ByteBuffer.wrap(slot), large);
        byte[] leaves = Files.readAllBytes(data(large, ".leaves"));
        System.arraycopy(slot, 0, leaves, (int) LeafSlot.position(1), slot.length);
        Files.write(data(large, ".leaves"), leaves);

        check().assertDamage("spool.root", data(large, ".leaves").toString());
    }

    @Test
    void theDigestsOfAFileThatIsReadInPlaceAreChecked() throws Exception {
        TransferKey referenced;
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            Path source = Files.write(directory.resolve("source"), SpoolFixture.bytes(LENGTH, 7));
            Answer<Commit> answer = new Answer<>();
            referenced = it.onLoop(() -> it.spool.reference(SpoolFixture.request("in place"), source, answer))
                    .get();
            answer.value();
        }
        check().assertClean();

        Damage.flip(data(referenced, ".leaves"), 5);
        check().assertDamage("spool.slot-missing", data(referenced, ".leaves").toString());
    }

    /** Neither an upload that ended before its first byte nor one that is done has content. */
    @Test
    void whatHasNoContentMissesNone() throws Exception {
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            it.begin(SpoolFixture.request("nothing came"));
            it.upload("empty", new byte[0]);
            it.run(() -> it.spool.committed(large, List.of("one")));
            it.run(() -> it.spool.receipt(new Receipt(large, "one", ReceiptStatus.DELIVERED, "", 5), () -> {}));
            it.awaitPhase(large, SpoolPhase.FINISHED);
            org.awaitility.Awaitility.await().until(() -> !Files.exists(data(large, ".data")));
        }
        check().assertClean();
    }

    @Test
    void orphansAreNotedWithWhatTheyCost() throws Exception {
        Path orphan = spool().resolve("data/00000000000000000000000000000007.data");
        Files.write(orphan, new byte[2048]);

        assertThat(check().assertNote("spool.orphan", orphan).bytes()).isEqualTo(2048);
    }

    @Test
    void aFlippedBitInASmallTransferIsFound() throws Exception {
        Path segment = Damage.file(spool().resolve("journal"), ".log");
        Damage.flip(segment, Damage.find(segment, SpoolFixture.bytes(700, 2)) + 9);

        check().assertDamage("log.payload", segment.toString());
    }

    @Test
    void aJournalThatBeginsWithZeroesIsFound() throws Exception {
        Path segment = Damage.file(spool().resolve("journal"), ".log");
        Files.write(segment, new byte[8], java.nio.file.StandardOpenOption.WRITE);

        check().assertDamage("log.segment-header", segment.toString());
    }

    @Test
    void aSpoolInUseIsRefused() throws Exception {
        try (SpoolFixture it = new SpoolFixture(spool(), SpoolFixture.config()).started()) {
            assertThat(it.onLoop(() -> it.spool.states().size())).isEqualTo(3);
            assertThatThrownBy(this::check).isInstanceOf(DirectoryInUseException.class);
        }
    }
}
