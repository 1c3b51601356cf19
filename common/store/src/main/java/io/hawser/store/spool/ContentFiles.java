package io.hawser.store.spool;

import io.hawser.core.model.TransferId;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory {@code data}: for each large transfer {@code <id>.data} with its bytes, written in place past the page cache,
 * and {@code <id>.leaves} with a {@link io.hawser.store.content.LeafSlot} for each fragment. A transfer that is read in place has only the latter.
 *
 * <p>Thread: any; calls block.
 */
final class ContentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ContentFiles.class);
    private static final String DATA = ".data";
    private static final String LEAVES = ".leaves";

    private final Storage storage;
    private final Path directory;
    private volatile Consumer<StorageException> onBroken = cause -> {};

    ContentFiles(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** Receives, on any thread, the failure of a file that could not be written although there is space. */
    void whenBroken(Consumer<StorageException> told) {
        onBroken = told;
    }

    /** A file of this directory could not be written. */
    void failed(StorageException cause) {
        if (!(cause instanceof OutOfSpaceException || cause instanceof CannotOpenNowException)) {
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

    /** The size of the {@code .data} file; 0 if there is none. */
    long dataBytes(TransferId id) throws StorageException {
        FileFacts facts = storage.facts(dataPath(id));
        return facts == null ? 0 : facts.sizeBytes();
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
}
