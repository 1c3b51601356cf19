package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.commitOf;
import static io.hawser.store.landing.LandingRig.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One landing file and the directory of them, without the machine around: what is written, read back, recorded, checked, swept. */
class LandingFileTest {
    private static final Path DIRECTORY = Path.of("/area/files");
    private static final byte[] CONTENT = LandingRig.bytes(1, 2 * FRAGMENT_BYTES + 100);
    private static final TransferKey KEY = key(1);

    private final FaultyStorage storage = new FaultyStorage();
    private final LandingFiles files =
            new LandingFiles(storage, DIRECTORY, new ScratchBuffers(FragmentBuffer.ALIGNMENT_BYTES), CrashPoints.NONE);
    private final FragmentBufferPool pool = new FragmentBufferPool(2 * FRAGMENT_BYTES, 8);
    private final Manifest manifest = LandingRig.file(1, "name", CONTENT.length);

    @BeforeEach
    void directory() throws StorageException {
        storage.createDirectories(DIRECTORY);
    }

    private Fragment fragment(int index, int offset) {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        int from = index * FRAGMENT_BYTES;
        int length = Math.min(FRAGMENT_BYTES, CONTENT.length - from);
        buffer.payload(offset, length).put(CONTENT, from, length);
        ByteBuffer payload = buffer.payload(offset, length);
        return new Fragment(KEY, index, length, Crc32c.of(payload), TreeDigest.leaf(payload), buffer, offset);
    }

    /** A landing file with these fragments, durable and recorded. */
    private LandingFile holding(int offset, int... indexes) throws StorageException {
        LandingFile file = files.file(manifest);
        files.create(file, cause -> {});
        List<LeafSlot> leaves = new ArrayList<>();
        for (int index : indexes) {
            Fragment fragment = fragment(index, offset);
            StorageFile written = file.write(List.of(fragment));
            file.force();
            assertThat(file.hash(written, index, fragment.length())).isEqualTo(fragment.leaf());
            leaves.add(new LeafSlot(index, fragment.length(), fragment.crc32c(), fragment.leaf()));
            fragment.buffer().release();
        }
        file.record(leaves);
        return file;
    }

    private void put(String name, int sizeBytes) throws StorageException {
        try (StorageFile file = storage.open(DIRECTORY.resolve(name), OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.allocate(sizeBytes), 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "true, 7", "false, 0", "false, 7"})
    void bytesReachTheirPlaceFromWhereverTheyLie(boolean direct, int offset) throws Exception {
        storage.directAllowed(direct);
        LandingFile file = holding(offset, 0, 1, 2);

        assertThat(file.finish(commitOf(CONTENT)).problem()).isEmpty();
        assertThat(storage.readAll(file.path())).isEqualTo(CONTENT);
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    @Test
    void afterARestartOnlyWhatTheFileReallyHoldsIsDurable() throws Exception {
        holding(0, 0, 1, 2).close();
        FragmentRanges all = new FragmentRanges();
        assertThat(files.file(manifest).recover(all)).isEqualTo(CONTENT.length);
        assertThat(all.count()).isEqualTo(3);

        try (StorageFile part = storage.open(files.path(KEY), OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            part.truncate(2L * FRAGMENT_BYTES - 1);
        }
        FragmentRanges less = new FragmentRanges();
        assertThat(files.file(manifest).recover(less)).isEqualTo(FRAGMENT_BYTES);
        assertThat(less.contains(0)).isTrue();
        assertThat(less.count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatWasCutInTheMeantimeIsNeitherWrittenNorPublished(boolean restarted) throws Exception {
        LandingFile file = holding(0, 0, 1);
        if (restarted) {
            file.close();
            file = files.file(manifest);
            file.holds(FRAGMENT_BYTES + 1);
        }
        try (StorageFile part = storage.open(files.path(KEY), OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            part.truncate(FRAGMENT_BYTES);
        }
        LandingFile cut = file;
        Fragment last = fragment(2, 0);

        assertThatThrownBy(() -> cut.write(List.of(last))).hasMessageContaining("was cut to " + FRAGMENT_BYTES);
        byte[] two = Arrays.copyOf(CONTENT, 2 * FRAGMENT_BYTES);
        assertThatThrownBy(() -> cut.finish(commitOf(two))).hasMessageContaining("was cut to " + FRAGMENT_BYTES);
        last.buffer().release();
    }

    @Test
    void whatCannotBeReadBackIsNotVerified() throws Exception {
        LandingFile file = holding(0, 0);
        try (StorageFile part = storage.open(files.path(KEY), OpenMode.READ, FileIoMode.DIRECT)) {
            assertThatThrownBy(() -> file.hash(part, 1, FRAGMENT_BYTES))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("ends before " + 2 * FRAGMENT_BYTES);
        }
    }

    @Test
    void aCommitOfOtherThanWhatIsRecordedIsToldFromDigestsThatAreLost() throws Exception {
        assertThat(holding(0, 0, 1).finish(commitOf(CONTENT)))
                .isEqualTo(new LandingFile.Agreement("the digest of fragment 2 cannot be read any more", true));
        assertThat(holding(0, 0, 2).finish(commitOf(CONTENT)))
                .isEqualTo(new LandingFile.Agreement("the digest of fragment 1 cannot be read any more", true));

        LandingFile wrongLength = holding(0, 0, 1, 2);
        wrongLength.record(List.of(new LeafSlot(2, 99, 0, new byte[32])));
        assertMismatch(
                wrongLength, "3 fragments with " + CONTENT.length + " bytes, and they have " + (CONTENT.length - 1));

        LandingFile wrongLeaf = holding(0, 0, 1, 2);
        wrongLeaf.record(List.of(new LeafSlot(2, 100, 0, new byte[32])));
        assertMismatch(wrongLeaf, "do not make the digest of the commit");
        assertThat(storage.facts(files.path(KEY))).isNotNull();
    }

    private static void assertMismatch(LandingFile file, String problem) throws StorageException {
        LandingFile.Agreement agreement = file.finish(commitOf(CONTENT));
        assertThat(agreement.problem()).contains(problem);
        assertThat(agreement.isLost()).isFalse();
    }

    @Test
    void whatIsRecordedBeyondTheCommitDoesNotCount() throws Exception {
        LandingFile file = holding(0, 0, 1, 2);
        byte[] first = Arrays.copyOf(CONTENT, FRAGMENT_BYTES);

        assertThat(file.finish(commitOf(first)).problem()).isEmpty();
        assertThat(storage.readAll(file.path())).isEqualTo(first);
    }

    /** Which of the disk's calls fails, and whether that says that the disk cannot be trusted. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, true", "3, false", "4, true", "5, true"})
    void aRefusedFileIsToldFromAFailingDisk(long call, boolean broken) throws Exception {
        List<StorageException> told = new ArrayList<>();
        LandingFile file = files.file(manifest);
        storage.failCall(call, Fault.EIO, false);

        assertThatThrownBy(() -> files.create(file, told::add)).isInstanceOf(StorageException.class);
        assertThat(told).hasSize(broken ? 1 : 0);

        files.create(file, told::add); // and made anew
        assertThat(file.isBroken()).isFalse();
        assertThat(told).hasSize(broken ? 1 : 0);
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

        files.sweep(kept::contains, key(3)::equals);

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
