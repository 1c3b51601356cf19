package io.hawser.store.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of one transfer, without a store around it: what is written, read back, recorded, checked, and what ends it. */
class FragmentFileTest {
    private static final Path DIRECTORY = Path.of("/data");
    private static final int FRAGMENT_BYTES = 2 * FragmentBuffer.ALIGNMENT_BYTES;
    private static final TransferKey KEY = new TransferKey(new NodeId(7, 8), new TransferId(1, 1));
    private static final byte[] CONTENT = new byte[2 * FRAGMENT_BYTES + 100];

    static {
        for (int i = 0; i < CONTENT.length; i++) {
            CONTENT[i] = (byte) (i * 31 + i / 251);
        }
    }

    private final FaultyStorage storage = new FaultyStorage();
    private final List<StorageException> told = new ArrayList<>();
    private final FragmentFiles files = new FragmentFiles(
            storage,
            DIRECTORY,
            new FragmentFiles.Layout(key -> key.id().toString(), ".data", false),
            new ScratchBuffers(FragmentBuffer.ALIGNMENT_BYTES),
            (key, cause) -> told.add(cause));
    private final FragmentBufferPool pool = new FragmentBufferPool(2 * FRAGMENT_BYTES, 8);
    private final Manifest manifest = manifest("17000");

    @BeforeEach
    void directory() throws StorageException {
        storage.createDirectories(DIRECTORY);
    }

    private static Manifest manifest(String modified) {
        return new Manifest(
                KEY,
                1,
                new Topic("site-b"),
                TransferKind.FILE,
                "name",
                List.of("name"),
                CONTENT.length,
                FRAGMENT_BYTES,
                Map.of(Attributes.MODIFIED_MILLIS, modified));
    }

    private Commit commitOf(byte[] content) {
        return SampleTransfer.of(manifest, content).commit();
    }

    private FragmentFile file() {
        return files.file(manifest, OpenMode.UPDATE);
    }

    private Fragment fragment(int index, int offset) {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        ByteBuffer bytes = SampleTransfer.of(manifest, CONTENT).bytesOf(index);
        int length = bytes.remaining();
        buffer.payload(offset, length).put(bytes);
        byte[] leaf = SampleTransfer.of(manifest, CONTENT).leaves().get(index);
        return new Fragment(KEY, index, length, Crc32c.of(buffer.payload(offset, length)), leaf, buffer, offset);
    }

    private void write(FragmentFile file, int index, int offset) throws StorageException {
        Fragment fragment = fragment(index, offset);
        try {
            StorageFile written = file.write(List.of(fragment));
            file.force(false);
            assertThat(file.hash(written, index, fragment.length())).isEqualTo(fragment.leaf());
            file.putLeaves(List.of(fragment));
            file.forceLeaves();
        } finally {
            fragment.buffer().release();
        }
    }

    /** With these fragments, durable. */
    private FragmentFile holding(int offset, int... indexes) throws StorageException {
        FragmentFile file = file();
        file.create();
        for (int index : indexes) {
            write(file, index, offset);
        }
        return file;
    }

    /** Of other bytes. */
    private void putLeaf(FragmentFile file, long index, int length) throws StorageException {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        file.putLeaves(List.of(new Fragment(KEY, index, length, 0, new byte[32], buffer, 0)));
        buffer.release();
    }

    private void damage(Path path, long position, byte[] bytes) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(bytes), position);
        }
    }

    private void cut(long sizeBytes) throws StorageException {
        try (StorageFile file = storage.open(files.path(KEY), OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            file.truncate(sizeBytes);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "true, 7", "false, 0", "false, 7"})
    void bytesReachTheirPlaceFromWhereverTheyLie(boolean direct, int offset) throws Exception {
        storage.directAllowed(direct);
        FragmentFile file = holding(offset, 0, 1, 2);

        assertThat(file.finish(commitOf(CONTENT))).isEqualTo(Agreement.FULL);
        assertThat(storage.readAll(file.path())).isEqualTo(CONTENT);
        assertThat(files.modifiedMillis(KEY)).isEqualTo(17_000);
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    @Test
    void aTimeThatIsNoneHoldsNothingBack() throws Exception {
        holding(0, 0, 1, 2).close();

        FragmentFile file = files.file(manifest("yesterday"), OpenMode.UPDATE);
        assertThat(file.finish(commitOf(CONTENT))).isEqualTo(Agreement.FULL);
    }

    @Test
    void onlyNewFilesNeedTheirDirectoryForced() throws Exception {
        FragmentFile file = files.file(manifest, OpenMode.CREATE);
        assertThat(file.open()).isTrue();
        assertThat(file.open()).isFalse();
        file.close();
        assertThat(file().open()).isFalse();
        files.delete(KEY);
        assertThat(files.exists(KEY)).isFalse();
        assertThatThrownBy(file()::open).isInstanceOf(PathMissingException.class);
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void afterARestartOnlyWhatTheFileReallyHoldsIsDurable() throws Exception {
        holding(0, 0, 1, 2).close();
        List<Long> all = new ArrayList<>();
        assertThat(file().recover(slot -> all.add(slot.index()))).isEqualTo(CONTENT.length);
        assertThat(all).containsExactly(0L, 1L, 2L);

        cut(2L * FRAGMENT_BYTES - 1);
        List<Long> less = new ArrayList<>();
        assertThat(file().recover(slot -> less.add(slot.index()))).isEqualTo(FRAGMENT_BYTES);
        assertThat(less).containsExactly(0L);
    }

    @Test
    void whatHasItsBytesElsewhereHasDigestsAlone() throws Exception {
        FragmentFile file = files.leavesOnly(manifest, OpenMode.CREATE);
        assertThat(file.hasData()).isFalse();
        assertThat(file.open()).isTrue();
        file.force(false);
        putLeaf(file, 0, 100);
        file.forceLeaves();
        file.close();

        assertThat(storage.list(DIRECTORY)).containsExactly(KEY.id() + ".leaves");
        assertThat(files.leavesOnly(manifest, OpenMode.UPDATE).recover(slot -> {}))
                .isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatWasCutIsNeitherWrittenNorPublished(boolean restarted) throws Exception {
        FragmentFile file = holding(0, 0, 1);
        if (restarted) {
            file.close();
            file = file();
            file.holds(FRAGMENT_BYTES + 1);
        }
        cut(FRAGMENT_BYTES);
        FragmentFile cut = file;

        assertThatThrownBy(() -> write(cut, 2, 0)).hasMessageContaining("was cut to " + FRAGMENT_BYTES);
        byte[] two = Arrays.copyOf(CONTENT, 2 * FRAGMENT_BYTES);
        assertThatThrownBy(() -> cut.finish(commitOf(two))).hasMessageContaining("was cut to " + FRAGMENT_BYTES);
        assertThat(told).hasSize(1);
    }

    /** The calls are: write, force, write of the slot, force of the slot. */
    @ParameterizedTest
    @CsvSource({"1, EIO", "1, SHORT", "2, EIO", "2, ENOSPC", "3, EIO", "3, ENOSPC", "4, EIO", "4, ENOSPC"})
    @Invariant(InvariantName.FAIL_STOP)
    void afterAFailureNothingIsWritten(long call, Fault fault) throws Exception {
        FragmentFile file = holding(0, 0);
        storage.failCall(call, fault, false);

        assertThatThrownBy(() -> write(file, 1, 0)).isSameAs(file.failure());

        long calls = storage.calls();
        assertThatThrownBy(() -> write(file, 2, 0)).isSameAs(file.failure());
        assertThatThrownBy(file::open).isSameAs(file.failure());
        assertThatThrownBy(() -> file.force(false)).isSameAs(file.failure());
        assertThatThrownBy(file::forceLeaves).isSameAs(file.failure());
        file.fail(new StorageException("another"));
        assertThat(storage.calls()).isEqualTo(calls);
        assertThat(told).singleElement().isSameAs(file.failure());
        file.close();
        assertThatThrownBy(() -> write(file, 2, 0)).isSameAs(file.failure());
    }

    @Test
    void whatWasSpilledComesBackUnlessTheDiskChangedIt() throws Exception {
        FragmentFile file = files.file(manifest, OpenMode.CREATE);
        int half = FRAGMENT_BYTES / 2;
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        buffer.payload(0, half).put(CONTENT, 0, half);
        int crc32c = Crc32c.of(buffer.payload(0, half));
        file.spill(1, half, buffer.payload(0, half));
        FragmentBuffer back = Objects.requireNonNull(pool.tryAcquire());

        assertThat(file.unspill(1, half, back.payload(half, half), crc32c)).isTrue();
        assertThat(back.payload(half, half)).isEqualTo(buffer.payload(0, half));
        damage(file.path(), FRAGMENT_BYTES + half + 5, new byte[] {99});
        assertThat(file.unspill(1, half, back.payload(half, half), crc32c)).isFalse();
        cut(FRAGMENT_BYTES + half + 512);
        assertThat(file.unspill(1, half, back.payload(half, half), crc32c)).isFalse();
    }

    @Test
    void aFragmentIsReadWithItsChecksumAlone() throws Exception {
        holding(0, 0, 1, 2).close();
        FragmentFile file = files.file(manifest, OpenMode.READ);
        FragmentBuffer into = Objects.requireNonNull(pool.tryAcquire());
        LeafSlot first = Objects.requireNonNull(file.slot(0));
        LeafSlot last = Objects.requireNonNull(file.slot(2));
        assertThat(file.slot(3)).isNull();

        file.read(last, into);
        assertThat(into.payload(0, 100)).isEqualTo(ByteBuffer.wrap(CONTENT, 2 * FRAGMENT_BYTES, 100));
        assertThat(file.isSound(first)).isTrue();
        damage(file.path(), 5, new byte[] {99});
        assertThatThrownBy(() -> file.read(first, into))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("does not agree with its checksum");
        assertThat(file.isSound(first)).isFalse();
        cut(2 * FRAGMENT_BYTES + 99);
        assertThatThrownBy(() -> file.read(last, into))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("ends before fragment 2");
        assertThat(file.isSound(last)).isFalse();
        assertThatThrownBy(() -> file.hash(2, 100)).hasMessageContaining("ends before " + CONTENT.length);
    }

    @Test
    void aCommitOfOtherThanWhatIsRecordedIsToldFromDigestsThatAreLost() throws Exception {
        assertThat(holding(0, 0, 1).finish(commitOf(CONTENT)))
                .isEqualTo(new Agreement("the digest of fragment 2 cannot be read any more", true));
        assertThat(holding(0, 0, 2).finish(commitOf(CONTENT)))
                .isEqualTo(new Agreement("the digest of fragment 1 cannot be read any more", true));

        FragmentFile wrongLength = holding(0, 0, 1, 2);
        putLeaf(wrongLength, 2, 99);
        assertMismatch(
                wrongLength, "3 fragments with " + CONTENT.length + " bytes, and they have " + (CONTENT.length - 1));

        FragmentFile wrongLeaf = holding(0, 0, 1, 2);
        putLeaf(wrongLeaf, 2, 100);
        assertMismatch(wrongLeaf, "do not make the digest of the commit");
        assertThat(files.exists(KEY)).isTrue();
    }

    private void assertMismatch(FragmentFile file, String problem) throws StorageException {
        Agreement agreement = file.finish(commitOf(CONTENT));
        assertThat(agreement.problem()).contains(problem);
        assertThat(agreement.isLost()).isFalse();
    }

    @Test
    void whatIsRecordedBeyondTheCommitDoesNotCount() throws Exception {
        FragmentFile file = holding(0, 0, 1, 2);
        byte[] first = Arrays.copyOf(CONTENT, FRAGMENT_BYTES);

        assertThat(file.finish(commitOf(first))).isEqualTo(Agreement.FULL);
        assertThat(storage.readAll(file.path())).isEqualTo(first);
    }

    @Test
    void filesThatNameNoTransferGo() throws Exception {
        for (String name : List.of(KEY.id() + ".data", KEY.id() + ".leaves", "9.data", "nodot", "zz.data")) {
            storage.replaceAll(DIRECTORY.resolve(name), new byte[1]);
        }

        files.sweep(files.orphans(Set.of(KEY)), true);
        assertThat(storage.list(DIRECTORY)).hasSize(5);
        files.sweep(files.orphans(Set.of(KEY)), false);

        assertThat(storage.list(DIRECTORY)).containsExactly(KEY.id() + ".data", KEY.id() + ".leaves");
        assertThat(files.modifiedMillis(KEY)).isNotNegative();
        long calls = storage.calls();
        files.sweep(List.of(), false);
        assertThat(storage.calls()).isEqualTo(calls);
    }
}
