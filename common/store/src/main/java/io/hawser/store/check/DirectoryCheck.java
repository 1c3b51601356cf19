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

    /** Checks it. What can go on after a finding goes on; the exception is for what cannot. */
    void check(CheckContext context) throws StorageException;

    /** Whether such a directory has an index that can be made again. */
    default boolean hasIndex() {
        return false;
    }

    /**
     * Makes the index of the directory again from its log; what was there is moved aside. Whoever calls holds the directory alone.
     * A log that cannot be trusted to say everything is refused, and nothing is changed then.
     */
    default void repairIndex(CheckContext context) throws StorageException {
        throw new UnsupportedOperationException(kind());
    }
}
