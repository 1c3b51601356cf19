package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Damage;
import io.hawser.store.check.AgentBCheck;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Checked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A journal that is gone is not taken for a new one, whose start would delete the content that the lost one spoke of. */
class LostJournalTest {
    private static final byte[] CONTENT = SpoolFixture.bytes(3 * FRAGMENT + 5, 1);

    @TempDir
    Path directory;

    private Path spool;
    private TransferKey key;

    @BeforeEach
    void anUploadIsAccepted() throws Exception {
        spool = directory.resolve("agent-a");
        try (SpoolFixture it = open()) {
            it.upload("kept", CONTENT);
            key = it.keyOf("kept");
        }
    }

    private SpoolFixture open() throws StorageException {
        return new SpoolFixture(spool, SpoolFixture.config()).started();
    }

    private Path knownLog() {
        return spool.resolve("known-log");
    }

    private void assertGone(String why) throws Exception {
        String epoch = Files.readString(spool.resolve("epoch"));
        for (int start = 0; start < 2; start++) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(DirectoryGoneException.class)
                    .hasMessageContaining(spool.resolve("journal") + why)
                    .hasMessageContaining("Put it back")
                    .hasMessageContaining("move all of " + spool);
        }
        assertThat(Files.readString(spool.resolve("epoch"))).isEqualTo(epoch);
        assertThat(new AgentBCheck().recognises(new DiskStorage(), spool)).isFalse();
        Checked.of(new SpoolCheck(), spool).assertDamage("log.gone", spool.resolve("journal"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJournalThatIsGoneIsRefusedUntilItIsBack(boolean isKnown) throws Exception {
        if (!isKnown) { // an earlier version wrote no such file
            Files.delete(knownLog());
        }
        Path away = Files.move(spool.resolve("journal"), directory.resolve("away"));

        assertGone(" has no log");
        Files.createDirectory(spool.resolve("journal")); // such as a mount point without its mount
        assertGone(" has no log");

        Files.delete(spool.resolve("journal"));
        Files.move(away, spool.resolve("journal"));
        try (SpoolFixture it = open()) {
            assertThat(it.content(key)).isEqualTo(CONTENT);
        }
    }

    @Test
    void aJournalThatIsGoneIsRefusedAlsoWithoutContent() throws Exception {
        Files.move(spool.resolve("data"), directory.resolve("data"));
        Files.move(spool.resolve("journal"), directory.resolve("away"));

        assertThatThrownBy(this::open).isInstanceOf(DirectoryGoneException.class);
    }

    @Test
    void aDirectoryOfAnEarlierVersionLearnsItsLog() throws Exception {
        Files.delete(knownLog());

        open().close();

        assertThat(knownLog()).hasSameTextualContentAs(spool.resolve("journal/log.id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef0123456789abcdef", "no id"})
    void anotherLogThanTheKnownOneIsRefused(String known) throws Exception {
        Files.writeString(knownLog(), known);

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("write "
                        + Files.readString(spool.resolve("journal/log.id")).strip() + " into " + knownLog());
        Checked.of(new SpoolCheck(), spool).assertDamage("log.known", knownLog());
    }

    @Test
    void aFlippedBitInTheIdOfTheJournalIsToldWithTheRightId() throws Exception {
        Path file = spool.resolve("journal/log.id");
        String id = Files.readString(file).strip();
        Files.writeString(file, (id.startsWith("0") ? "1" : "0") + id.substring(1));

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("write " + id + " into " + file);
        assertThat(Checked.of(new SpoolCheck(), spool)
                        .assertDamage("log.id", file)
                        .advice())
                .contains(id);

        Files.writeString(file, id);
        try (SpoolFixture it = open()) {
            assertThat(it.content(key)).isEqualTo(CONTENT);
        }
    }

    /** As the refusal says, what is left is kept: here nothing of the journal, and all content. */
    @Test
    void deletingTheListAfterAllSegmentsAreGoneKeepsTheContent() throws Exception {
        Path journal = spool.resolve("journal");
        Files.delete(Damage.file(journal, ".log")); // it is the only one
        assertThatThrownBy(this::open).hasMessageContaining("delete " + journal.resolve("segments"));
        Path content = spool.resolve("data").resolve(key.id() + ".data");
        byte[] before = Files.readAllBytes(content);
        Files.delete(journal.resolve("segments"));
        assertThat(Checked.of(new SpoolCheck(), spool)
                        .assertNote("spool.orphan", content)
                        .advice())
                .contains("next start keeps it");

        for (int start = 0; start < 2; start++) { // the list is whole again in the second
            open().close();
            assertThat(content).hasBinaryContent(before);
            assertThat(spool.resolve("keep-orphans")).exists();
        }
    }

    @Test
    void firstStartThatWasCutShortLeavesNoMark(@TempDir Path other) throws Exception {
        new SpoolFixture(other, SpoolFixture.config()).started().close();
        Path journal = other.resolve("journal");
        Files.delete(other.resolve("known-log"));
        Files.delete(journal.resolve("segments"));
        try (Stream<Path> segments = Files.list(journal)) {
            assertThat(segments.filter(file -> file.toString().endsWith(".log")))
                    .isEmpty();
        }

        new SpoolFixture(other, SpoolFixture.config()).started().close();

        assertThat(other.resolve("keep-orphans")).doesNotExist();
    }
}
