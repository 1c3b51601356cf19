package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Damage;
import io.hawser.store.check.AgentBCheck;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Checked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check of a landing area: each kind of damage is planted, and found. */
class LandingCheckTest {
    private static final int LENGTH = 3 * FRAGMENT_BYTES + 100;

    @TempDir
    Path target;

    private Path area;

    /** Something delivered, something incomplete, and something whole that waits for its target. */
    @BeforeEach
    void aLandingAreaWasUsed() throws Exception {
        area = target.resolve(LandingOptions.DIRECTORY_PREFIX + "sub");
        DiskStorage storage = new DiskStorage();
        try (LandingRig rig = LandingRig.into(storage, target)) {
            ok(rig.send(file(1, "done", LENGTH), bytes(1, LENGTH)));
            rig.awaitReceipts(1);
        }
        try (LandingRig rig = new LandingRig(
                storage, LandingOptions.below(target, "sub"), new Undelivering(false), CrashPoints.NONE)) {
            ok(rig.open(file(2, "incomplete", LENGTH)));
            for (int i = 0; i < 3; i++) {
                ok(rig.offer(LandingRig.key(2), bytes(2, LENGTH), i));
            }
            ok(rig.send(file(3, "waits", LENGTH), bytes(3, LENGTH)));
            ok(rig.small(file(4, "small", 700), bytes(4, 700)));
            org.awaitility.Awaitility.await().until(() -> !Files.exists(files(3, ".leaves")));
        }
    }

    /** What is left of a landing area of which some is lost. */
    @ParameterizedTest
    @CsvSource({
        "files+journal, true",
        "files+node.id+epoch, true",
        "journal+node.id+epoch, true",
        "files, false",
        "journal, false",
        "journal+node.id+epoch+topics, false"
    })
    void isRecognisedAlsoWhenSomeOfItIsLost(String names, boolean expected) throws Exception {
        Path left = Files.createDirectory(target.resolve("left"));
        for (String name : names.split("\\+")) {
            if (name.equals("files") || name.equals("journal")) {
                Files.createDirectory(left.resolve(name));
            } else {
                Files.createFile(left.resolve(name));
            }
        }

        assertThat(new LandingCheck().recognises(new DiskStorage(), left)).isEqualTo(expected);
    }

    /**
     * A target that takes no file.
     *
     * @param refuses whether it says so, or never answers
     */
    private record Undelivering(boolean refuses) implements DeliveryTarget {
        @Override
        public @Nullable Refusal check(Manifest manifest) {
            return null;
        }

        @Override
        public boolean takesFile() {
            return true;
        }

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
            if (refuses) {
                objects.forEach(
                        object -> results.accept(new DeliveryOutcome.Refused(object, "a directory stands there")));
            }
        }
    }

    private Checked check() throws StorageException {
        return Checked.of(new LandingCheck(), area);
    }

    private Checked checkQuickly() throws StorageException {
        return Checked.quickly(new LandingCheck(), area);
    }

    private Path files(long number, String ending) {
        TransferKey key = LandingRig.key(number);
        return area.resolve("files").resolve(key + ending);
    }

    @Test
    void whatAStoppedAgentLeavesIsClean() throws Exception {
        Checked result = check();
        result.assertClean();
        assertThat(result.counts()).containsEntry("transfers", 4L).containsEntry("landing files", 3L);
        checkQuickly().assertClean();
    }

    @Test
    void aFlippedBitInAnIncompleteFileIsFound() throws Exception {
        Damage.flip(files(2, ".part"), FRAGMENT_BYTES + 5);

        check().assertDamage("landing.damaged", files(2, ".part") + " at " + FRAGMENT_BYTES);
        checkQuickly().assertClean();
    }

    @Test
    void aFlippedBitInAVerifiedFileIsFound() throws Exception {
        Damage.flip(files(3, ".part"), 5);
        Damage.flip(files(4, ".part"), 5);

        Checked result = check();
        result.assertDamage("landing.damaged", files(3, ".part").toString());
        result.assertDamage("landing.damaged", files(4, ".part").toString());
    }

    @Test
    void filesThatAreTooShortAreFound() throws Exception {
        Damage.truncate(files(2, ".part"), FRAGMENT_BYTES);
        Damage.truncate(files(3, ".part"), LENGTH - 1);

        Checked result = checkQuickly();
        result.assertDamage("landing.short", files(2, ".part") + " at " + FRAGMENT_BYTES);
        result.assertDamage("landing.size", files(3, ".part").toString());
    }

    @Test
    void lostLandingFilesAreFound() throws Exception {
        Files.delete(files(2, ".part"));
        Files.delete(files(3, ".part"));

        Checked result = check();
        result.assertDamage("landing.part-missing", files(2, ".part").toString());
        result.assertDamage("landing.verified-gone", files(3, ".part").toString());
    }

    @Test
    void whatIsAtItsNameWasPublished() throws Exception {
        Files.move(files(3, ".part"), target.resolve("waits"));

        check().assertNote("landing.published", target.resolve("waits").toString());
    }

    @Test
    void aLostSidecarOnlyCostsTime() throws Exception {
        Files.delete(files(2, ".leaves"));

        check().assertNote("landing.restarts", files(2, ".leaves").toString());
    }

    @Test
    void aDamagedSidecarAndOneOfALaterVersionAreFound() throws Exception {
        Path leaves = files(2, ".leaves");
        byte[] good = Files.readAllBytes(leaves);
        Damage.flip(leaves, 10);
        assertThat(check().assertDamage("landing.leaves", leaves.toString()).meaning())
                .contains("1 fragment of");
        Damage.flip(leaves, LeafSlot.LENGTH_BYTES + 10);
        assertThat(check().assertDamage("landing.leaves", leaves.toString()).meaning())
                .contains("2 fragments of");

        Files.write(leaves, good);
        ByteBuffer slot = ByteBuffer.wrap(Files.readAllBytes(leaves));
        ByteBuffer key = LandingRig.key(2)
                .putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES))
                .flip();
        slot.putInt(4, 2);
        slot.putInt(60, Crc32c.combine(Crc32c.of(key), Crc32c.of(slot.slice(0, 60)), 60));
        Files.write(leaves, slot.array());
        check().assertDamage("landing.version", leaves.toString());
    }

    @Test
    void aDeadLetterIsCheckedAsWhatWaitsIs() throws Exception {
        try (LandingRig rig = new LandingRig(
                new DiskStorage(), LandingOptions.below(target, "sub"), new Undelivering(true), CrashPoints.NONE)) {
            ok(rig.send(file(5, "dead", LENGTH), bytes(5, LENGTH)));
            org.awaitility.Awaitility.await()
                    .until(() -> rig.onLoop(() -> rig.area.deadLetters()).size() == 3);
        }
        check().assertClean();
        Damage.flip(files(5, ".part"), 10);
        check().assertDamage("landing.damaged", files(5, ".part").toString());

        Files.delete(files(5, ".part"));
        assertThat(check().assertDamage(
                                "landing.verified-gone", files(5, ".part").toString())
                        .meaning())
                .contains("dead-letter list");
    }

    @Test
    void leftoversAreNotedWithWhatTheyCost() throws Exception {
        Files.write(files(99, ".part"), new byte[3072]);
        Files.write(files(98, ".failed"), new byte[1024]);

        Checked result = check();
        assertThat(result.assertNote("landing.orphan", files(99, ".part")).bytes())
                .isEqualTo(3072);
        assertThat(result.assertNote("landing.set-aside", files(98, ".failed")).bytes())
                .isEqualTo(1024);
    }

    @Test
    void aFlippedBitInTheJournalIsFound() throws Exception {
        Path segment = Damage.file(area.resolve("journal"), ".log");
        Damage.flip(segment, 4096 + 128 + 10);

        check().assertDamage("log.body", segment + " at 4096");
    }

    /** A record that cannot be read may have been the one that speaks of a file. */
    @Test
    void aDamagedJournalDeletesNoLandingFile() throws Exception {
        for (String ending : List.of(".part", ".leaves", ".part.note")) {
            Files.write(files(99, ending), new byte[1]);
        }
        Path segment = Damage.file(area.resolve("journal"), ".log");
        Damage.flip(segment, 4096 + 128 + 10);
        assertThat(check().findings())
                .filteredOn(finding -> finding.kind().equals("landing.orphan"))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.advice()).contains("next start keeps it"));

        LandingRig.into(new DiskStorage(), target).close();

        for (String ending : List.of(".part", ".leaves", ".part.note")) {
            assertThat(files(99, ending)).exists();
        }
    }

    @Test
    void anAreaInUseIsRefused() throws Exception {
        try (LandingRig rig = LandingRig.into(new DiskStorage(), target)) {
            assertThat(rig.receipts).isNotNull();
            assertThatThrownBy(this::check).isInstanceOf(DirectoryInUseException.class);
        }
    }

    @Test
    void theDataDirectoryOfAnAgentSaysWhereToLook() throws StorageException, IOException {
        Path data = target.resolve("data");
        NodeDirectory.open(new DiskStorage(), data).close();

        Checked.of(new AgentBCheck(), data).assertNote("agent-b.elsewhere", data.toString());
    }
}
