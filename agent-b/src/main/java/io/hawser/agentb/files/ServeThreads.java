package io.hawser.agentb.files;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of threads that read served files, {@code hawser-serve-N}: one pool each for stats, reads and checksums.
 *
 * <p>Thread: any.
 */
final class ServeThreads implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServeThreads.class);
    private static final int CLOSE_SECONDS = 5;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final ThreadPoolExecutor threads;

    ServeThreads(int count) {
        threads = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "hawser-serve-" + NUMBER.incrementAndGet());
            thread.setDaemon(true); // a disk that hangs must not keep the node from ending; these threads write nothing
            return thread;
        });
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; a call gets no answer");
        }
    }

    /** Removes a cancelled task, so that the queue does not grow while a disk hangs. */
    void remove(Runnable task) {
        boolean unused = threads.remove(task);
    }

    /** Ends the threads; drops queued tasks. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("a disk does not answer; the node stops without waiting for a read");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
