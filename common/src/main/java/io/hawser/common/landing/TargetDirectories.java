package io.hawser.common.landing;

import io.hawser.common.storage.PathMissingException;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import java.nio.file.Path;

/**
 * The directories below a root from which a consumer may take anything at any time, directories too: what is gone needs no force,
 * and its absence is no failure of the disk.
 *
 * <p>Thread: disk.
 */
final class TargetDirectories {
    private final Storage storage;
    private final Path root;

    TargetDirectories(Storage storage, Path root) {
        this.storage = storage;
        this.root = root;
    }

    /** The directory that {@code path} is in. */
    Path parentOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? root : parent;
    }

    /**
     * Makes the entries of {@code directory} durable, or of what is left above it.
     *
     * @throws UnsureException if a force failed, or the root is gone
     */
    void force(Path directory) throws UnsureException {
        try {
            storage.forceDirectory(directory);
        } catch (PathMissingException e) {
            if (directory.equals(root)) {
                throw new UnsureException(e);
            }
            force(parentOf(directory));
        } catch (StorageException e) {
            throw new UnsureException(e);
        }
    }
}
