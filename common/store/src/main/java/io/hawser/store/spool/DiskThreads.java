package io.hawser.store.spool;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads for blocking reads and deletions, {@code hawser-disk-N}.
 *
 * <p>Thread: any.
 */
final class DiskThreads implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);
    private static final int THREADS = 2;
    private static final int CLOSE_SECONDS = 30;

    private final ExecutorService threads;

    DiskThreads() {
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(
                THREADS, task -> new Thread(task, "hawser-disk-" + number.incrementAndGet()));
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The spool is closed; what was still to be read is not");
        }
    }

    /** Finishes what is queued. Nothing is interrupted. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("A disk does not answer; the spool is closed without waiting any longer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
