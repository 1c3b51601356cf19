package io.hawser.common.storage;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Files of one directory that nobody needs any more, kept empty for those who need new ones. ext4 avoids inodes that were deleted in
 * the last minutes and searches past all of them for every new one, so who makes and deletes files all the time had better not.
 *
 * <p>What is retired is given away only when the directory has been forced since: before, a crash could bring its old name back,
 * with somebody else's bytes. Nobody may write to it any more. The names end in {@value #ENDING}; what an earlier life left of
 * them is for whoever opens the directory to delete.
 *
 * <p>Thread: any.
 */
public final class SpareFiles {
    private static final String ENDING = ".spare";

    private final Storage storage;
    private final Path directory;
    private final int most;
    private final Set<Path> retired = new LinkedHashSet<>();
    private final ArrayDeque<Path> ready = new ArrayDeque<>();
    private long lastNumber;

    /** Has none yet, and keeps at most {@code most}. */
    public SpareFiles(Storage storage, Path directory, int most) {
        this.storage = storage;
        this.directory = directory;
        this.most = most;
    }

    /** Whether that is the name of such a file. */
    public static boolean isSpare(String name) {
        return name.endsWith(ENDING);
    }

    /** Takes a file of the directory, which is empty or gone on return, and has another name. One that is not there is no failure. */
    public void retire(Path file) throws StorageException {
        Path spare;
        synchronized (this) {
            spare = retired.size() + ready.size() < most ? directory.resolve(++lastNumber + ENDING) : null;
        }
        if (spare == null) {
            storage.delete(file);
            return;
        }
        try {
            storage.rename(file, spare);
        } catch (PathMissingException e) {
            return;
        }
        try (StorageFile emptied = storage.open(spare, OpenMode.UPDATE, Caching.PAGE_CACHE)) {
            emptied.truncate(0); // behind the rename: under its old name it is never seen without its bytes
        }
        synchronized (this) {
            retired.add(spare);
        }
    }

    /** Lets {@code file}, which is not there, be one of them. Returns false if there is none. */
    public boolean give(Path file) throws StorageException {
        Path spare;
        synchronized (this) {
            spare = ready.poll();
        }
        if (spare == null) {
            return false;
        }
        storage.rename(spare, file);
        return true;
    }

    /** {@link Storage#forceDirectory} of the directory. What had been retired before may be given away behind it. */
    public void forceDirectory() throws StorageException {
        List<Path> before;
        synchronized (this) {
            before = List.copyOf(retired);
        }
        storage.forceDirectory(directory);
        synchronized (this) {
            before.stream().filter(retired::remove).forEach(ready::add);
        }
    }
}
