package io.hawser.store.landing;

import io.hawser.core.thread.DaemonThreads;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes blocking work from the loop to the disk and digest threads and brings what came of it back. After {@link #close} work
 * that has begun comes to its end, and nothing is brought back any more: to the loop it is as if the process had ended.
 *
 * <p>Thread: any.
 */
final class DiskExecutor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskExecutor.class);
    private static final int CLOSE_TIMEOUT_SECONDS = 10;
    private static final int IDLE_SECONDS = 10;

    interface Work<T> {
        T call() throws StorageException;
    }

    /** A result on the loop: exactly one of the two is non-null. */
    interface Done<T> {
        void done(@Nullable T value, @Nullable StorageException failure);
    }

    private final Executor loop;
    private final Executor digestThreads;
    private final ThreadPoolExecutor disk;
    /** Only posts to the loop. What it still holds is dropped at the end. */
    private final ScheduledThreadPoolExecutor timer;

    private volatile boolean closed;

    /** Creates disk threads as they are needed; callers bound their queue. */
    DiskExecutor(Executor loop, Executor digestThreads, int diskThreads) {
        this.loop = loop;
        this.digestThreads = digestThreads;
        this.disk = new ThreadPoolExecutor(
                diskThreads,
                diskThreads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.numbered("hawser-disk-"));
        disk.allowCoreThreadTimeOut(true);
        this.timer = new ScheduledThreadPoolExecutor(1, DaemonThreads.named("hawser-landing-timer"));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Runs {@code work} on a disk thread and {@code done} on the loop. */
    <T> void onDisk(Work<T> work, Done<T> done) {
        run(disk, work, done);
    }

    /** Runs {@code work} on a digest thread and {@code done} on the loop. */
    <T> void onDigest(Work<T> work, Done<T> done) {
        run(digestThreads, work, done);
    }

    /** Runs {@code task} on a disk thread; false if this is closed and it never will be. */
    boolean execute(Runnable task) {
        return hand(disk, task);
    }

    /** Runs {@code task} on the loop, later. */
    void post(Runnable task) {
        hand(loop, () -> {
            if (!closed) {
                task.run();
            }
        });
    }

    /** Runs {@code task} on the loop after {@code delay}, unless this is closed by then. */
    void postAfter(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> unused = timer.schedule(() -> post(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The node is stopping; work of the landing area is left to the next start");
        }
    }

    private <T> void run(Executor where, Work<T> work, Done<T> done) {
        hand(where, () -> {
            try {
                T value = work.call();
                post(() -> done.done(value, null));
            } catch (StorageException e) {
                post(() -> done.done(null, e));
            } catch (RuntimeException | Error e) {
                // Never to be lost: the loop would wait for this work for ever.
                LOG.atError().setCause(e).log("Work on a landing file failed in a way that was not foreseen");
                post(() -> done.done(null, new StorageException("unforeseen: " + e, e)));
            }
        });
    }

    private boolean hand(Executor executor, Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The node is stopping; work of the landing area is left to the next start");
            return false;
        }
    }

    int diskThreads() {
        return disk.getMaximumPoolSize();
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdown();
        disk.shutdown();
        try {
            if (!disk.awaitTermination(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                LOG.atWarn().log("A disk does not answer; the landing area is closed without it");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
