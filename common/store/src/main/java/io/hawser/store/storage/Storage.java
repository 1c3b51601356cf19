package io.hawser.store.storage;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one door to disks. All calls block; none runs on an event loop.
 *
 * <p>A directory's entries (creations, renames, links, deletions) are durable only after {@link #forceDirectory}; a file's
 * bytes only after {@link StorageFile#force}. Neither implies the other.
 *
 * <p>Thread: any.
 */
public interface Storage {
    /**
     * Opens a file. One that is made has mode 0600 ({@link #forPublication}).
     *
     * @throws PathMissingException if it must exist and does not
     * @throws PathExistsException if it must not exist and does
     */
    StorageFile open(Path path, OpenMode mode, FileIoMode caching) throws StorageException;

    /** The block size that direct files of this directory need. */
    int blockSizeBytes(Path directory) throws StorageException;

    /** Makes a directory and its parents; each parent of a new one is forced. Idempotent. */
    void createDirectories(Path directory) throws StorageException;

    /**
     * The same for a directory that is a node's alone: others can neither read nor enter it (mode 0700), also if it was there and they
     * could.
     */
    default void createPrivateDirectory(Path directory) throws StorageException {
        createDirectories(directory);
    }

    /**
     * The same disk for files that are made to be given away: what {@link #open} makes there has the mode that the user's umask says. Other
     * files are for their owner alone (mode 0600).
     */
    default Storage forPublication() {
        return this;
    }

    /**
     * Makes a directory's entries durable. It has to be opened for that, which needs the right to read it. Any exception but these three
     * means that the force itself failed.
     *
     * @throws PathMissingException if it is not there
     * @throws PathRefusedException if it may not be opened
     * @throws CannotOpenNowException if it could not be opened now
     */
    void forceDirectory(Path directory) throws StorageException;

    /** Renames atomically; what stood at {@code to} is replaced. Both lie in one file system. Force the directories after it. */
    void rename(Path from, Path to) throws StorageException;

    /** Several renames, one after the other. */
    interface Renames extends AutoCloseable {
        /** As {@link Storage#rename}. */
        void rename(Path from, Path to) throws StorageException;

        @Override
        void close();
    }

    /**
     * Begins several renames. The directories of the last one may stay open until the end, so that the next need not look for them: who
     * moves a directory meanwhile takes along what is renamed into it.
     */
    default Renames severalRenames() {
        return new Renames() {
            @Override
            public void rename(Path from, Path to) throws StorageException {
                Storage.this.rename(from, to);
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    /**
     * Gives an existing file a second name.
     *
     * @throws PathExistsException if {@code link} exists
     */
    void link(Path existing, Path link) throws StorageException;

    /**
     * Deletes a file or an empty directory.
     *
     * @return whether there was one
     */
    boolean delete(Path path) throws StorageException;

    /** The names in a directory, sorted; empty if there is none. */
    List<String> list(Path directory) throws StorageException;

    /** The facts of the file at {@code path}, or null if there is none. */
    @Nullable
    FileFacts facts(Path path) throws StorageException;

    /** Sets a file's modification time. */
    void setModified(Path path, long epochMillis) throws StorageException;

    /** Sets the nine permission bits of POSIX. */
    void setMode(Path path, int mode) throws StorageException;

    /** Whether the group or others may do anything with {@code path}; false where that is not known. */
    default boolean isShared(Path path) throws StorageException {
        return false;
    }

    /**
     * The same disk, confined to {@code root} where other programs may write too: whatever they do meanwhile, nothing
     * beyond is touched.
     */
    default Storage below(Path root) {
        return this;
    }

    /** The type of the file system of {@code directory}, as {@code mount} shows it; empty if it is not known. */
    default String fileSystemType(Path directory) {
        return "";
    }

    /**
     * Bytes that an ordinary user could still write on the file system of {@code directory}, without what is set apart there
     * for another directory; at least 0.
     */
    long usableSpaceBytes(Path directory) throws StorageException;

    /**
     * Sets room apart for {@code directory}: who asks for the room of another directory on that file system gets so much
     * less. What was set apart before is so no longer.
     *
     * @param bytes asked each time on any thread, at least 0; it must not block
     */
    default void setApart(Path directory, LongSupplier bytes) {}

    /** The size of the file system of {@code directory}, in bytes; {@link Long#MAX_VALUE} if it is not known. */
    default long totalSpaceBytes(Path directory) throws StorageException {
        return Long.MAX_VALUE;
    }

    /**
     * Takes the lock file {@code file}, made if it is not there.
     *
     * @throws DirectoryInUseException if it is held
     */
    DirectoryLock lock(Path file) throws StorageException;

    /**
     * Takes an existing lock file so that no other process gets it with {@link #lock}; readers may share it. Nothing is written.
     *
     * @throws DirectoryInUseException if it is held by a {@link #lock}
     */
    default DirectoryLock lockForReading(Path file) throws StorageException {
        return lock(file);
    }

    /** Reads a whole small file. */
    default byte[] readAll(Path path) throws StorageException {
        try (StorageFile file = open(path, OpenMode.READ, FileIoMode.PAGE_CACHE)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.sizeBytes()));
            if (file.read(bytes, 0) != bytes.capacity()) {
                throw new StorageException(path + ": ended while it was read");
            }
            return bytes.array();
        }
    }

    /**
     * Replaces a small file as a whole: after a crash it holds either the old bytes or the new ones, and after the return the
     * new ones.
     */
    default void replaceAll(Path path, byte[] bytes) throws StorageException {
        Path directory = path.toAbsolutePath().normalize().getParent();
        if (directory == null) {
            throw new StorageException(path + ": not a file's path");
        }
        Path fresh = directory.resolve(path.getFileName() + ".new");
        delete(fresh);
        try (StorageFile file = open(fresh, OpenMode.CREATE_NEW, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force(true);
        }
        rename(fresh, path); // after the force, or a crash may show an empty file
        forceDirectory(directory);
    }
}
