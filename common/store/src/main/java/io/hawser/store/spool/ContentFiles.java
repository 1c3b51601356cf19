package io.hawser.store.spool;

import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.NotOpenedException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory {@code data}: for each large transfer {@code <id>.data} with its bytes, written in place past the page cache,
 * and {@code <id>.leaves} with a {@link LeafSlot} for each fragment. A transfer that is read in place has only the latter.
 *
 * <p>Thread: any; calls block.
 */
final class ContentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ContentFiles.class);
    private static final String DATA = ".data";
    private static final String LEAVES = ".leaves";
    private static final int SCAN_SLOTS = 1024;

    private final Storage storage;
    private final Path directory;
    private volatile Consumer<StorageException> onBroken = cause -> {};

    ContentFiles(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** Is shown a slot that is whole. */
    interface SlotVisitor {
        void slot(LeafSlot slot) throws StorageException;
    }

    /** Receives, on any thread, the failure of a file that could not be written although there is space. */
    void whenBroken(Consumer<StorageException> told) {
        onBroken = told;
    }

    /** A file of this directory could not be written. */
    void failed(StorageException cause) {
        if (!(cause instanceof OutOfSpaceException || cause instanceof NotOpenedException)) {
            onBroken.accept(cause);
        }
    }

    void create() throws StorageException {
        storage.createPrivateDirectory(directory);
    }

    StorageFile openData(TransferId id, OpenMode mode) throws StorageException {
        return openData(id, mode, FileIoMode.DIRECT);
    }

    StorageFile openData(TransferId id, OpenMode mode, FileIoMode caching) throws StorageException {
        return storage.open(dataPath(id), mode, caching);
    }

    StorageFile openLeaves(TransferId id, OpenMode mode) throws StorageException {
        return storage.open(directory.resolve(id + LEAVES), mode, FileIoMode.PAGE_CACHE);
    }

    boolean hasData(TransferId id) throws StorageException {
        return storage.facts(directory.resolve(id + DATA)) != null;
    }

    Path dataPath(TransferId id) {
        return directory.resolve(id + DATA);
    }

    Path leavesPath(TransferId id) {
        return directory.resolve(id + LEAVES);
    }

    /** New files have to be found again after a crash. */
    void forceDirectory() throws StorageException {
        storage.forceDirectory(directory);
    }

    /** Free bytes of the file system. */
    long usableSpaceBytes() throws StorageException {
        return storage.usableSpaceBytes(directory);
    }

    void delete(TransferId id) throws StorageException {
        storage.delete(directory.resolve(id + DATA));
        storage.delete(directory.resolve(id + LEAVES));
    }

    /** Deletes the files of all transfers that are not in {@code live}. */
    void sweep(Set<TransferId> live) throws StorageException {
        for (String name : orphans(live)) {
            storage.delete(directory.resolve(name));
            LOG.atInfo().addKeyValue("file", name).log("Orphan of the spool deleted");
        }
    }

    /** The names of files of transfers that are not in {@code live}. */
    List<String> orphans(Set<TransferId> live) throws StorageException {
        return storage.list(directory).stream()
                .filter(name -> !isLive(name, live))
                .toList();
    }

    private static boolean isLive(String name, Set<TransferId> live) {
        int dot = name.indexOf('.');
        try {
            return dot >= 0 && live.contains(TransferId.parse(name.substring(0, dot)));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static @Nullable LeafSlot readSlot(StorageFile leaves, TransferKey key, long index) throws StorageException {
        ByteBuffer slot = ByteBuffer.allocate(LeafSlot.LENGTH_BYTES);
        int length = leaves.read(slot, LeafSlot.position(index));
        return length == LeafSlot.LENGTH_BYTES ? LeafSlot.read(slot, 0, key, index) : null;
    }

    /** Shows all whole slots from {@code from} on, by ascending index. */
    static void scan(StorageFile leaves, TransferKey key, long from, SlotVisitor visitor) throws StorageException {
        scan(leaves, key, from, visitor, false);
    }

    /**
     * Shows all whole slots, after having written them again and forced them: what a file of an earlier life shows may be in
     * the page cache alone, and even a force that is repeated after a failed one proves nothing (reliability, 3.5).
     */
    static void recover(StorageFile leaves, TransferKey key, SlotVisitor visitor) throws StorageException {
        scan(leaves, key, 0, slot -> {}, true);
        leaves.force(true);
        scan(leaves, key, 0, visitor, false);
    }

    private static void scan(StorageFile leaves, TransferKey key, long from, SlotVisitor visitor, boolean rewrite)
            throws StorageException {
        ByteBuffer slots = ByteBuffer.allocate(SCAN_SLOTS * LeafSlot.LENGTH_BYTES);
        long index = from;
        while (true) {
            int length = leaves.read(slots.clear(), LeafSlot.position(index));
            if (rewrite && length > 0) {
                leaves.write(slots.duplicate().flip(), LeafSlot.position(index));
            }
            int count = length / LeafSlot.LENGTH_BYTES;
            for (int i = 0; i < count; i++) {
                LeafSlot slot = LeafSlot.read(slots, i * LeafSlot.LENGTH_BYTES, key, index + i);
                if (slot != null) {
                    visitor.slot(slot);
                }
            }
            if (count < SCAN_SLOTS) {
                return;
            }
            index += count;
        }
    }
}
