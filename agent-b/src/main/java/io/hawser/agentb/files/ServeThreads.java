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
 * Threads that read served files, {@code hawser-serve-N}: some for looks, some for reads, some for checksums.
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
            thread.setDaemon(true); // a disk that hangs must not keep the node from ending: nothing is written here
            return thread;
        });
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; a question stays without an answer");
        }
    }

    /** What is queued and no longer wanted: a disk that hangs lets no queue grow of which nobody awaits anything. */
    void remove(Runnable task) {
        boolean unused = threads.remove(task);
    }

    /** Ends the threads; what is queued is not done. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("a disk does not answer; a read is left behind");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
