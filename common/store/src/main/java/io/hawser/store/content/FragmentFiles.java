package io.hawser.store.content;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory with the files of {@link FragmentFile}s: their names, creation and deletion.
 *
 * <p>Thread: any; calls block.
 */
public class FragmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(FragmentFiles.class);
    /** The ending of the digests' files. */
    protected static final String LEAVES = ".leaves";

    protected final Storage storage;
    protected final Path directory;
    private final Layout layout;
    private final ScratchBuffers scratch;
    private final BiConsumer<TransferKey, StorageException> failed;

    /**
     * How the files are named and made.
     *
     * @param stem the name of a transfer's files without their endings
     * @param dataEnding the ending of the file of its bytes
     * @param isGivenAway whether the file of bytes becomes the delivered file, so that the user's umask says its mode
     */
    public record Layout(Function<TransferKey, String> stem, String dataEnding, boolean isGivenAway) {}

    /**
     * Creates it; the directory is there, or will be.
     *
     * @param failed receives, on the thread that writes, the first failure of each {@link FragmentFile}
     */
    public FragmentFiles(
            Storage storage,
            Path directory,
            Layout layout,
            ScratchBuffers scratch,
            BiConsumer<TransferKey, StorageException> failed) {
        this.storage = storage;
        this.directory = directory;
        this.layout = layout;
        this.scratch = scratch;
        this.failed = failed;
    }

    /** How to open a file with such fragments to read it: past the page cache, where their places allow it. */
    public static FileIoMode readModeFor(int fragmentSizeBytes) {
        return fragmentSizeBytes % FragmentBuffer.ALIGNMENT_BYTES == 0 ? FileIoMode.DIRECT : FileIoMode.PAGE_CACHE;
    }

    /** The content of a transfer; its files are opened with {@code mode} when they are needed. */
    public final FragmentFile file(Manifest manifest, OpenMode mode) {
        return new FragmentFile(this, manifest, mode, true);
    }

    /** The same for a transfer whose bytes are elsewhere, so that it has only a file of digests. */
    public final FragmentFile leavesOnly(Manifest manifest, OpenMode mode) {
        return new FragmentFile(this, manifest, mode, false);
    }

    /** Where the bytes of a transfer are. */
    public final Path path(TransferKey key) {
        return directory.resolve(layout.stem.apply(key) + layout.dataEnding);
    }

    /** Where the digests of a transfer are. */
    public final Path leavesPath(TransferKey key) {
        return directory.resolve(layout.stem.apply(key) + LEAVES);
    }

    /** Whether the file of bytes is there. */
    public final boolean exists(TransferKey key) throws StorageException {
        return storage.facts(path(key)) != null;
    }

    /** When bytes were last written; 0 if there is no file of them. */
    public final long modifiedMillis(TransferKey key) throws StorageException {
        FileFacts facts = storage.facts(path(key));
        return facts == null ? 0 : facts.modifiedNanos() / 1_000_000;
    }

    /** New files have to be found again after a crash. */
    public final void forceDirectory() throws StorageException {
        storage.forceDirectory(directory);
    }

    /** Free bytes of the file system. */
    public final long usableSpaceBytes() throws StorageException {
        return storage.usableSpaceBytes(directory);
    }

    /** Deletes both files of a transfer, the digests first: without their bytes they would lie. */
    public final void delete(TransferKey key) throws StorageException {
        storage.delete(leavesPath(key));
        storage.delete(path(key));
    }

    /** The names of files of transfers that are not in {@code live}. */
    public final List<String> orphans(Collection<TransferKey> live) throws StorageException {
        Set<String> stems = live.stream().map(layout.stem).collect(Collectors.toSet());
        return storage.list(directory).stream()
                .filter(name -> name.indexOf('.') < 0 || !stems.contains(name.substring(0, name.indexOf('.'))))
                .toList();
    }

    /**
     * Deletes files that belong to no transfer, durably.
     *
     * @param areKept since records may be lost; then they are told of only
     */
    public final void sweep(List<String> orphans, boolean areKept) throws StorageException {
        for (String name : orphans) {
            if (areKept) {
                LOG.atWarn()
                        .addKeyValue("file", directory.resolve(name))
                        .log(
                                "No record in the journal speaks of this file. It is kept, since records may be lost, until you"
                                        + " delete it, or the file keep-orphans in the data directory");
            } else {
                storage.delete(directory.resolve(name));
            }
        }
        if (!orphans.isEmpty() && !areKept) {
            forceDirectory();
            LOG.atInfo()
                    .addKeyValue("directory", directory)
                    .addKeyValue("files", orphans.size())
                    .log("Removed files that belong to no transfer");
        }
    }

    final Storage storage() {
        return storage;
    }

    /** The disk for files of bytes that are made. */
    final Storage dataStorage() {
        return layout.isGivenAway ? storage.forPublication() : storage;
    }

    final ScratchBuffers scratch() {
        return scratch;
    }

    final void failed(TransferKey key, StorageException cause) {
        failed.accept(key, cause);
    }
}
