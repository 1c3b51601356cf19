package io.hawser.store.runtime;

import io.hawser.core.meter.DurationHistogram;
import java.time.Duration;

/**
 * The only way of a store to a disk thread. It serves one store, which closes it.
 *
 * <p>Thread: any.
 */
public interface DiskExecutor extends AutoCloseable {
    /** A kind of blocking work. Each lane has its own threads, so that one does not wait for another. */
    enum Lane {
        /** Reads and writes of transfers' bytes. */
        CONTENT,
        /** Journals, logs and the index over them. */
        JOURNAL,
        /** Digests, of bytes in memory or read back. */
        VERIFICATION,
        /** Names: creating, renaming, deleting; free space. */
        NAMESPACE
    }

    /** Runs {@code task} on a thread of the lane; false if this is closed and it never will be. */
    boolean execute(Lane lane, Runnable task);

    /**
     * Creates a queue whose tasks run one after the other, in their order. Its creator closes it, perhaps after this.
     *
     * @param name of its thread, if it has one
     */
    SerialQueue serial(Lane lane, String name);

    /** Calls {@code post} after {@code delay}, unless this is closed by then. It must only post. */
    void after(Duration delay, Runnable post);

    /** Whether a task runs while the thread that posted it waits for it. */
    boolean isConcurrent();

    /** How many tasks of {@link #execute} run in a lane at once, at most. */
    int threads(Lane lane);

    /** How many tasks of a lane wait. */
    int waiting(Lane lane);

    /** How many tasks of a lane run. */
    int running(Lane lane);

    /** How long the tasks of a lane waited for a thread; empty if nobody measures that. */
    default DurationHistogram waits(Lane lane) {
        return new DurationHistogram();
    }

    /** Runs what waits in the lanes, and takes nothing more. Blocks. What is delayed is dropped; serial queues stay. */
    @Override
    void close();
}
