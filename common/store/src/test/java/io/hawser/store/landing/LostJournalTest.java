package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Damage;
import io.hawser.store.check.AgentBCheck;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Checked;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A landing area that has lost its journal does not start: it would delete what the journal spoke of. */
class LostJournalTest {
    private static final int LENGTH = 2 * FRAGMENT_BYTES;

    @TempDir
    Path target;

    private Path area;

    @BeforeEach
    void anObjectIsIncomplete() throws Exception {
        area = target.resolve(LandingOptions.DIRECTORY_PREFIX + "sub");
        try (LandingRig rig = open()) {
            ok(rig.open(file(1, "a", LENGTH)));
            ok(rig.offer(key(1), bytes(1, LENGTH), 0));
        }
    }

    private LandingRig open() throws StorageException {
        return LandingRig.into(new DiskStorage(), target);
    }

    private void assertGone(String kind, Path directory) throws Exception {
        assertThatThrownBy(this::open)
                .isInstanceOf(DirectoryGoneException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("Put it back")
                .hasMessageContaining("move all of " + area);
        assertThat(new AgentBCheck().recognises(new DiskStorage(), area)).isFalse();
        Checked.of(new LandingCheck(), area).assertDamage(kind, directory);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJournalThatIsGoneIsRefusedUntilItIsBack(boolean isKnown) throws Exception {
        if (!isKnown) {
            Files.delete(area.resolve("known-log"));
        }
        Path away = Files.move(area.resolve("journal"), target.resolve("away"));

        assertGone("log.gone", area.resolve("journal"));

        Files.move(away, area.resolve("journal"));
        try (LandingRig rig = open()) {
            assertThat(ok(rig.lookup(key(1))).durable().contains(0)).isTrue();
        }
    }

    /** Each complete object without its landing file counts as published. */
    @Test
    void landingFilesThatAreGoneAreNotTakenForPublished() throws Exception {
        Path away = Files.move(area.resolve("files"), target.resolve("away"));

        assertGone("landing.files-gone", area.resolve("files"));
        assertThat(area.resolve("files")).doesNotExist();

        Files.move(away, area.resolve("files"));
        try (LandingRig rig = open()) {
            assertThat(ok(rig.lookup(key(1))).durable().contains(0)).isTrue();
        }
    }

    @Test
    void anAreaWhoseFirstStartWasCutShortStarts() throws Exception {
        Path fresh = Files.createDirectory(target.resolve("fresh"));
        LandingRig.into(new DiskStorage(), fresh).close();
        Files.delete(fresh.resolve(area.getFileName()).resolve("files"));

        LandingRig.into(new DiskStorage(), fresh).close();
    }

    /** As the refusal says, what is left is kept: here nothing of the journal, and all landing files. */
    @Test
    void deletingTheListAfterAllSegmentsAreGoneKeepsTheFiles() throws Exception {
        Path journal = area.resolve("journal");
        Files.delete(Damage.file(journal, ".log")); // it is the only one
        assertThatThrownBy(this::open).hasMessageContaining("delete " + journal.resolve("segments"));
        Path landed = area.resolve("files").resolve(key(1) + ".part");
        byte[] before = Files.readAllBytes(landed);
        Files.delete(journal.resolve("segments"));
        assertThat(Checked.of(new LandingCheck(), area)
                        .assertNote("landing.orphan", landed)
                        .advice())
                .contains("next start keeps it");

        for (int start = 0; start < 2; start++) { // the list is whole again in the second
            open().close();
            assertThat(landed).hasBinaryContent(before);
            assertThat(area.resolve("keep-orphans")).exists();
        }
    }
}
