package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.TransferKey;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The directory of landing files: what is made, swept, set aside. */
class LandingFilesTest {
    private static final Path DIRECTORY = Path.of("/area/files");
    private static final TransferKey KEY = key(1);

    private final FaultyStorage storage = new FaultyStorage();
    private final LandingFiles files =
            new LandingFiles(storage, DIRECTORY, new ScratchBuffers(FragmentBuffer.ALIGNMENT_BYTES));

    @BeforeEach
    void directory() throws StorageException {
        storage.createDirectories(DIRECTORY);
    }

    private void put(String name, int sizeBytes) throws StorageException {
        storage.replaceAll(DIRECTORY.resolve(name), new byte[sizeBytes]);
    }

    @Test
    void orphansAreWhatBelongsToNobodyAndNothingElse() throws Exception {
        for (String name : List.of(
                key(1) + ".part",
                key(1) + ".leaves",
                key(1) + ".merged",
                key(1) + ".merging",
                key(1) + ".part.note",
                key(2) + ".part",
                key(2) + ".merged",
                key(2) + ".merging",
                key(2) + ".part.note",
                key(2) + ".part.note.new",
                key(2) + ".failed",
                key(3) + ".leaves",
                "strange.part",
                "strange.leaves",
                "README")) {
            put(name, 1);
        }
        Set<TransferKey> kept = Set.of(key(1), key(3));

        files.sweep(files.orphans(kept::contains, key(3)::equals), false);

        assertThat(storage.list(DIRECTORY))
                .containsExactlyInAnyOrder(
                        key(1) + ".part",
                        key(1) + ".merged",
                        key(1) + ".merging",
                        key(1) + ".part.note",
                        key(2) + ".part.note",
                        key(2) + ".failed",
                        key(3) + ".leaves",
                        "strange.part",
                        "strange.leaves",
                        "README");
        assertThat(files.strayNotes(kept::contains)).containsExactly(key(2));
        assertThat(files.setAside()).containsExactly(key(2) + ".failed");
    }

    @Test
    void whatIsSetAsideStaysForItsTime() throws Exception {
        assertThat(files.setAside(KEY, 5_000)).isEqualTo(DIRECTORY.resolve(KEY + ".failed"));
        assertThat(storage.list(DIRECTORY)).isEmpty(); // there was nothing
        assertThat(files.modifiedMillis(KEY)).isZero();
        put(KEY + ".part", 10);
        storage.setModified(files.path(KEY), 1_000);
        assertThat(files.exists(KEY)).isTrue();
        assertThat(files.modifiedMillis(KEY)).isEqualTo(1_000);

        Path aside = files.setAside(KEY, 5_000);
        assertThat(files.exists(KEY)).isFalse();
        files.removeSetAside(5_000);
        assertThat(storage.facts(aside)).isNotNull();
        files.removeSetAside(5_001);
        assertThat(storage.facts(aside)).isNull();
    }
}
