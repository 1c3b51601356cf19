package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.landing.LeafFile.Leaf;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeafFileTest {
    private static final TransferKey KEY =
            new TransferKey(new NodeId(0x0102030405060708L, 0x1112131415161718L), new TransferId(0x21, 0x31));
    private static final int FRAGMENT_BYTES = 8192;
    /** Header and entry 1, as docs/reference/format-landing.md describes them. Version 1 never changes. */
    private static final String GOLDEN_HEADER = "48574c46 0001 0040"
            + "0102030405060708 1112131415161718 0000000000000021 0000000000000031"
            + "00002000 00000000000000000000000000000000";

    private static final String GOLDEN_ENTRY = "0000000000000001 00002000"
            + "9f1dcbc35c350d6027f98be0f5c8b43b42ca52b7604459c0c42be3aa88913d47"
            + "00000000000000000000000000000000";

    @TempDir
    Path directory;

    private StorageFile file;

    @BeforeEach
    void open() throws StorageException {
        file = new DiskStorage().open(directory.resolve("leaves"), OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE);
        LeafFile.create(file, KEY, FRAGMENT_BYTES);
    }

    @AfterEach
    void close() {
        file.close();
    }

    private static Leaf leaf(long index) {
        byte[] hash = new byte[32];
        ByteBuffer.wrap(hash).putLong(24, index * 31);
        return new Leaf(index, 100 + (int) index, hash);
    }

    /** One entry of 64 bytes after a header of 64 for each fragment. */
    @Test
    void theDigestOfOneFragmentIsReadUnlessItsEntryIsTornOrAnothers() throws Exception {
        LeafFile.write(file, List.of(leaf(0), leaf(1), leaf(2)));
        file.force(false);
        assertThat(LeafFile.read(file, 1)).isNotNull();

        byte[] bytes = Files.readAllBytes(directory.resolve("leaves"));
        bytes[64 + 64 + 10] ^= 1; // entry 1
        System.arraycopy(bytes, 64, bytes, 64 + 2 * 64, 64); // entry 0 in the place of entry 2
        Files.write(directory.resolve("leaves"), bytes);

        assertThat(LeafFile.read(file, 0)).isNotNull();
        assertThat(LeafFile.read(file, 1)).as("torn").isNull();
        assertThat(LeafFile.read(file, 2)).as("another's").isNull();
        assertThat(LeafFile.read(file, 3)).as("after the end").isNull();
    }

    private List<Long> indexes() throws StorageException {
        List<Long> found = new ArrayList<>();
        LeafFile.read(file, KEY, FRAGMENT_BYTES, leaf -> {
            assertThat(leaf.hash()).isEqualTo(leaf(leaf.index()).hash());
            assertThat(leaf.length()).isEqualTo(100 + (int) leaf.index());
            found.add(leaf.index());
        });
        return found;
    }

    @Test
    void leavesAreReadInTheOrderOfTheirIndexWhateverTheOrderOfWriting() throws StorageException {
        LeafFile.write(file, List.of(leaf(5), leaf(6), leaf(9)));
        LeafFile.write(file, List.of(leaf(0), leaf(3000)));

        assertThat(indexes()).containsExactly(0L, 5L, 6L, 9L, 3000L);
    }

    @Test
    void anEntryThatIsTornOrMisplacedDoesNotCount() throws StorageException {
        LeafFile.write(file, List.of(leaf(0), leaf(1), leaf(2)));
        file.write(ByteBuffer.wrap(new byte[] {1}), 2 * LeafFile.ENTRY_BYTES + 20);
        ByteBuffer entry0 = ByteBuffer.allocate(LeafFile.ENTRY_BYTES);
        file.read(entry0, LeafFile.ENTRY_BYTES);
        file.write(entry0.flip(), 5 * LeafFile.ENTRY_BYTES);
        file.write(ByteBuffer.wrap(new byte[30]), 6 * LeafFile.ENTRY_BYTES);

        assertThat(indexes()).containsExactly(0L, 2L);
    }

    @Test
    void theHeaderOfAnotherTransferIsRefused() {
        TransferKey other = new TransferKey(KEY.publisher(), new TransferId(1, 1));

        assertThatThrownBy(() -> LeafFile.read(file, other, FRAGMENT_BYTES, leaf -> {}))
                .isInstanceOf(CorruptRecordException.class);
        assertThatThrownBy(() -> LeafFile.read(file, KEY, 4096, leaf -> {})).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void aLaterVersionIsRefusedAsSuch() throws StorageException {
        ByteBuffer header = ByteBuffer.allocate(LeafFile.ENTRY_BYTES);
        file.read(header, 0);
        header.putShort(4, (short) 2);
        header.putInt(60, Crc32c.of(header.slice(0, 60)));
        file.write(header.rewind(), 0);

        assertThatThrownBy(() -> LeafFile.read(file, KEY, FRAGMENT_BYTES, leaf -> {}))
                .isInstanceOf(FormatTooNewException.class);
    }

    @Test
    void version1HasTheseBytes() throws IOException {
        byte[] zeroes = new byte[FRAGMENT_BYTES];
        LeafFile.write(file, List.of(new Leaf(1, FRAGMENT_BYTES, TreeDigest.leaf(ByteBuffer.wrap(zeroes)))));
        file.force(true);

        byte[] bytes = Files.readAllBytes(directory.resolve("leaves"));

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(sealed(GOLDEN_HEADER) + "00".repeat(LeafFile.ENTRY_BYTES) + sealed(GOLDEN_ENTRY));
    }

    private static String sealed(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return HexFormat.of().formatHex(bytes) + HexFormat.of().toHexDigits(Crc32c.of(ByteBuffer.wrap(bytes)));
    }
}
