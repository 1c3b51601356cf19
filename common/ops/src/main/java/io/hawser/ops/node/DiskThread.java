package io.hawser.ops.node;

import io.hawser.core.thread.DaemonThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread for the few small files that a node writes outside its journals. A write may wait for the disk, and for file descriptors; the
 * network loop must not. Tasks run one at a time, in order. The thread ends when nothing has come for a while.
 *
 * <p>Thread: any.
 */
public final class DiskThread implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThread.class);
    private static final long IDLE_SECONDS = 10;
    /** Longer than a write waits for a file descriptor. */
    private static final long CLOSE_SECONDS = 30;

    private final ThreadPoolExecutor thread;

    /** One of that name, without a thread yet. */
    public DiskThread(String name) {
        thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named(name));
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    /** Ends it after what was given to it, so that nothing is written after the data directory has been given up. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A write to a small file has not ended; the node stops without it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
