package io.hawser.common.storage;

import java.nio.file.Path;

/**
 * Many renames in a row, each as {@link Storage#rename} makes it.
 *
 * <p>Thread: one.
 */
public interface Renames extends AutoCloseable {
    /** As {@link Storage#rename}. */
    void rename(Path from, Path to) throws StorageException;

    /** Nothing is renamed by it any more. */
    @Override
    void close();
}
