package io.hawser.store.log;

import io.hawser.store.storage.StorageException;

/**
 * Receives the outcome of an append.
 *
 * <p>Thread: log-writer (or, for a log that is dead or closed, the thread that called append). It must not block; it posts to
 * its own thread.
 */
public interface AppendCallback {
    /** The record is on stable storage: the force returned, and no earlier one failed. */
    void durable(long sequence, LogPosition position);

    /** It is not, and never will be. */
    void failed(StorageException cause);
}
