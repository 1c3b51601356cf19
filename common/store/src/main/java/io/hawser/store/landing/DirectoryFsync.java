package io.hawser.store.landing;

import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.PathRefusedException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;

/**
 * Forces directories of a target to disk; a directory that a consumer has removed or locked is not a disk failure. What is
 * gone needs no force, and neither its absence nor a refusal to open it is a failure of the disk.
 *
 * <p>Thread: disk.
 */
final class DirectoryFsync {
    /** ENOTDIR: something on the way to it is no directory any more. */
    static final String NOT_DIRECTORY = "Not a directory";

    private final Storage storage;
    private final Path root;

    DirectoryFsync(Storage storage, Path root) {
        this.storage = storage;
        this.root = root;
    }

    Path parentOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? root : parent;
    }

    /**
     * Finds out whether {@code directory} can be forced. Asked before anything is changed in it: afterwards it would be too late to leave
     * it as it is.
     *
     * @throws PathRefusedException if it may be written, perhaps, and not be read
     */
    void checkForceable(Path directory) throws StorageException {
        try {
            storage.open(directory, OpenMode.READ, FileIoMode.PAGE_CACHE).close();
        } catch (PathRefusedException e) {
            throw new PathRefusedException(
                    e.getMessage() + ": a directory in which names are to be durable must be readable", e.reason(), e);
        }
    }

    /**
     * Makes the entries of {@code directory} durable, or of what is left above it.
     *
     * @throws UnknownOutcomeException if a force failed
     * @throws StorageException if nothing was forced, since it could not be opened; never one of those that tell why an operation is
     *     refused, since what is to be forced has been done
     */
    void force(Path directory) throws StorageException {
        try {
            storage.forceDirectory(directory);
        } catch (PathMissingException e) {
            forceAbove(directory, e);
        } catch (PathRefusedException e) {
            if (!e.reason().equals(NOT_DIRECTORY)) {
                throw notForced(e);
            }
            forceAbove(directory, e);
        } catch (CannotOpenNowException e) {
            throw e;
        } catch (StorageException e) {
            throw new UnknownOutcomeException(e);
        }
    }

    private void forceAbove(Path directory, StorageException missing) throws StorageException {
        if (directory.equals(root)) {
            throw notForced(missing);
        }
        force(parentOf(directory));
    }

    /**
     * The same, where no promise rests on {@code directory} itself: what may not be opened is passed by.
     *
     * @throws UnknownOutcomeException if a force failed
     */
    void forceNearest(Path directory) throws StorageException {
        try {
            storage.forceDirectory(directory);
        } catch (PathMissingException | PathRefusedException e) {
            if (directory.equals(root)) {
                throw notForced(e);
            }
            forceNearest(parentOf(directory));
        } catch (CannotOpenNowException e) {
            throw e;
        } catch (StorageException e) {
            throw new UnknownOutcomeException(e);
        }
    }

    private static CannotOpenNowException notForced(StorageException why) {
        return new CannotOpenNowException(String.valueOf(why.getMessage()), why);
    }
}
