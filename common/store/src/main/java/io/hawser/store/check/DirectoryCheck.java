package io.hawser.store.check;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;

/**
 * The offline check of one kind of data directory. Public class with a public constructor, found by ServiceLoader.
 *
 * <p>Thread: one at a time.
 */
public interface DirectoryCheck {
    /** What such a directory is called, such as {@code broker}. */
    String kind();

    /** Whether {@code directory} is one, judged by the names in it. */
    boolean recognises(Storage storage, Path directory) throws StorageException;

    /** Checks the directory. A finding does not end the check; an exception does. */
    void check(CheckContext context) throws StorageException;

    /** Whether such a directory has an index that can be made again. */
    default boolean hasIndex() {
        return false;
    }

    /**
     * Rebuilds the index of the directory from its log and moves the old one aside. The caller holds the directory's lock.
     * A log that cannot be trusted to say everything is refused, and nothing is changed then.
     */
    default void repairIndex(CheckContext context) throws StorageException {
        throw new UnsupportedOperationException(kind());
    }
}
