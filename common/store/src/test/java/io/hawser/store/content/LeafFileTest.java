package io.hawser.store.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeafFileTest {
    private static final TransferKey KEY =
            new TransferKey(new NodeId(0x0102030405060708L, 0x1112131415161718L), new TransferId(0x21, 0x31));

    @TempDir
    Path directory;

    private StorageFile file;

    @BeforeEach
    void open() throws StorageException {
        file = new DiskStorage().open(directory.resolve("leaves"), OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
    }

    @AfterEach
    void close() {
        file.close();
    }

    private static LeafSlot leaf(long index) {
        byte[] hash = new byte[32];
        ByteBuffer.wrap(hash).putLong(24, index * 31);
        return new LeafSlot(index, 100 + (int) index, (int) index * 7, hash);
    }

    @Test
    void theSlotOfOneFragmentIsReadUnlessItIsTornOrAnothers() throws Exception {
        LeafFile.write(file, KEY, List.of(leaf(0), leaf(1), leaf(2)));
        file.force(false);
        assertThat(LeafFile.read(file, KEY, 1)).isNotNull();

        byte[] bytes = Files.readAllBytes(directory.resolve("leaves"));
        bytes[64 + 10] ^= 1; // slot 1
        System.arraycopy(bytes, 0, bytes, 2 * 64, 64); // slot 0 in the place of slot 2
        Files.write(directory.resolve("leaves"), bytes);

        assertThat(LeafFile.read(file, KEY, 0)).isNotNull();
        assertThat(LeafFile.read(file, KEY, 1)).as("torn").isNull();
        assertThat(LeafFile.read(file, KEY, 2)).as("another's").isNull();
        assertThat(LeafFile.read(file, KEY, 3)).as("after the end").isNull();
    }

    private List<Long> indexes() throws StorageException {
        List<Long> found = new ArrayList<>();
        LeafFile.scan(file, KEY, 0, leaf -> {
            assertThat(leaf.leaf()).isEqualTo(leaf(leaf.index()).leaf());
            assertThat(leaf.length()).isEqualTo(100 + (int) leaf.index());
            found.add(leaf.index());
        });
        return found;
    }

    @Test
    void leavesAreReadInTheOrderOfTheirIndexWhateverTheOrderOfWriting() throws StorageException {
        LeafFile.write(file, KEY, List.of(leaf(5), leaf(6), leaf(9)));
        LeafFile.write(file, KEY, List.of(leaf(0), leaf(3000)));

        assertThat(indexes()).containsExactly(0L, 5L, 6L, 9L, 3000L);
    }

    @Test
    void aSlotThatIsTornOrMisplacedDoesNotCount() throws StorageException {
        LeafFile.write(file, KEY, List.of(leaf(0), leaf(1), leaf(2)));
        file.write(ByteBuffer.wrap(new byte[] {1}), LeafSlot.LENGTH_BYTES + 30);
        ByteBuffer slot0 = ByteBuffer.allocate(LeafSlot.LENGTH_BYTES);
        file.read(slot0, 0);
        file.write(slot0.flip(), 4 * LeafSlot.LENGTH_BYTES);
        file.write(ByteBuffer.wrap(new byte[30]), 5 * LeafSlot.LENGTH_BYTES);

        assertThat(indexes()).containsExactly(0L, 2L);
    }

    @Test
    void slotsOfAnotherTransferAreNone() throws StorageException {
        TransferKey other = new TransferKey(KEY.publisher(), new TransferId(1, 1));
        LeafFile.write(file, KEY, List.of(leaf(0), leaf(1)));

        LeafFile.scan(file, other, 0, slot -> {
            throw new AssertionError("fragment " + slot.index());
        });
        assertThat(LeafFile.read(file, other, 0)).isNull();
    }

    @Test
    void slotsAreReadAcrossTheReadersBlocksAndADamagedOneIsLeftOut() throws Exception {
        int count = 2_050;
        LeafFile.write(
                file,
                KEY,
                LongStream.range(0, count).mapToObj(LeafFileTest::leaf).toList());
        file.write(ByteBuffer.wrap(new byte[] {99}), LeafSlot.position(5) + 20);
        file.truncate(LeafSlot.position(count) - 1); // the last one is not whole
        List<Long> seen = new ArrayList<>();

        LeafFile.recover(file, KEY, slot -> seen.add(slot.index()));

        assertThat(seen).hasSize(count - 2).doesNotContain(5L, count - 1L).contains(1_023L, 1_024L, 2_048L);
        assertThat(file.sizeBytes()).isEqualTo(LeafSlot.position(count) - 1);
    }

    @Test
    void aLaterVersionIsRefusedAsSuch() throws StorageException {
        LeafFile.write(file, KEY, List.of(leaf(0)));
        ByteBuffer slot = ByteBuffer.allocate(LeafSlot.LENGTH_BYTES);
        file.read(slot, 0);
        slot.putInt(4, 2);
        ByteBuffer key =
                KEY.putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES)).flip();
        slot.putInt(60, Crc32c.combine(Crc32c.of(key), Crc32c.of(slot.slice(0, 60)), 60));
        file.write(slot.rewind(), 0);

        assertThatThrownBy(() -> LeafFile.recover(file, KEY, leaf -> {})).isInstanceOf(FormatTooNewException.class);
    }

    /** A hostile publisher may have sent one fragment far beyond the others. */
    @Test
    void recoveryLeavesAHoleAHole() throws Exception {
        LeafFile.write(file, KEY, List.of(leaf(0), leaf(1_000_000)));
        file.force(false);
        long before = allocatedBytes();

        LeafFile.recover(file, KEY, leaf -> {});

        assertThat(allocatedBytes()).isLessThan(before + (1 << 20));
    }

    private long allocatedBytes() throws Exception {
        Process du = new ProcessBuilder("du", "-k", directory.resolve("leaves").toString()).start();
        String line = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Long.parseLong(line.split("\\s")[0]) << 10;
    }
}
