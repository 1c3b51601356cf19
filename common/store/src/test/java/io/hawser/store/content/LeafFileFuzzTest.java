package io.hawser.store.content;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Edits;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;

/** What a store reads back from its disk of a transfer's digests. */
class LeafFileFuzzTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final Path LEAVES = Path.of("/spool/data/x.leaves");
    private static final int SLOTS = 5;

    /** A slot that is shown is one that was written, in its place. */
    @FuzzTest(maxDuration = "2m")
    void leaves(byte[] data) throws StorageException {
        ByteBuffer sound = ByteBuffer.allocate(SLOTS * LeafSlot.LENGTH_BYTES);
        for (int i = 0; i < SLOTS; i++) {
            slot(i).putInto(sound, KEY);
        }
        for (byte[] bytes : new byte[][] {data, Edits.apply(sound.array(), data)}) {
            FaultyStorage storage = new FaultyStorage();
            storage.createDirectories(LEAVES.getParent());
            try (StorageFile file = storage.open(LEAVES, OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
                file.write(ByteBuffer.wrap(bytes), 0);
                LeafFile.recover(file, KEY, found -> assertThat(found)
                        .usingRecursiveComparison()
                        .isEqualTo(slot((int) found.index())));
            }
        }
    }

    private static LeafSlot slot(int index) {
        byte[] leaf = new byte[32];
        Arrays.fill(leaf, (byte) index);
        return new LeafSlot(index, 100 + index, index * 31, leaf);
    }
}
