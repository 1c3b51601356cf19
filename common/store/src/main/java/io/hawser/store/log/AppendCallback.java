package io.hawser.store.log;

import io.hawser.store.storage.StorageException;
import java.util.function.Consumer;

/**
 * Receives the outcome of an append.
 *
 * <p>Thread: log-writer (or, for a log that is dead or closed, the thread that called append). It must not block; it posts to
 * its own thread.
 */
public interface AppendCallback {
    /** Receives the number and the place of a record that is durable. */
    @FunctionalInterface
    interface Durable {
        void durable(long sequence, LogPosition position);
    }

    /** One that is made of its two answers. */
    static AppendCallback of(Durable durable, Consumer<StorageException> failed) {
        return new AppendCallback() {
            @Override
            public void durable(long sequence, LogPosition position) {
                durable.durable(sequence, position);
            }

            @Override
            public void failed(StorageException cause) {
                failed.accept(cause);
            }
        };
    }
    /** The record is on stable storage: the force returned, and no earlier one failed. */
    void durable(long sequence, LogPosition position);

    /** It is not, and never will be. */
    void failed(StorageException cause);
}
