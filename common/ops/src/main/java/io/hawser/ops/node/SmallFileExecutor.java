package io.hawser.ops.node;

import io.hawser.core.thread.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the few small files that a node has outside its journals, on a thread, since a write may wait for the disk and for file descriptors, and the
 * network loop must not. Tasks run one at a time, in order. The thread ends when it is idle.
 *
 * <p>Thread: any.
 */
public final class SmallFileExecutor implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmallFileExecutor.class);
    private static final long IDLE_SECONDS = 10;
    /** Longer than a write may wait for a file descriptor. */
    private static final long CLOSE_SECONDS = 30;

    private final ThreadPoolExecutor thread;

    public SmallFileExecutor(String name) {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named(name));
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    /** Runs the queued tasks and ends, so that nothing is written after the data directory is unlocked. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A write to a small file does not end; the node stops without it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
