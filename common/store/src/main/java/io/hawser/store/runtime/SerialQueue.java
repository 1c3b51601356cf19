package io.hawser.store.runtime;

/**
 * Tasks that run one after the other, in their order.
 *
 * <p>Thread: any.
 */
public interface SerialQueue extends AutoCloseable {
    /** Runs {@code task} after all before it; false if this is closed and it never will be. */
    boolean execute(Runnable task);

    /** Runs what waits, also what its own tasks add meanwhile, and takes nothing more from others. Blocks; idempotent. */
    @Override
    void close();
}
