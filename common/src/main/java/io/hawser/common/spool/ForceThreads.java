package io.hawser.common.spool;

import io.hawser.common.storage.StorageException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Forces several files at once: a file system with a journal takes all that wait for it into its next commit, and files that are
 * forced one after the other wait for a commit each. The threads, {@code NAME-force-N}, are there while there is something to do.
 *
 * <p>Thread: one at a time.
 */
final class ForceThreads implements AutoCloseable {
    /** Together with the caller's own. */
    private static final int AT_ONCE = 16;

    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    /** Makes something durable. */
    interface Force {
        void run() throws StorageException;
    }

    ForceThreads(String name) {
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                AT_ONCE - 1, AT_ONCE - 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-force-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs all of them, and returns how each failed, in their order; null for one that did not. */
    List<@Nullable StorageException> run(List<Force> forces) {
        @Nullable StorageException[] failures = new @Nullable StorageException[forces.size()];
        AtomicInteger next = new AtomicInteger();
        Runnable work = () -> {
            for (int i = next.getAndIncrement(); i < forces.size(); i = next.getAndIncrement()) {
                failures[i] = failureOf(forces.get(i));
            }
        };
        CompletableFuture<?>[] helpers = new CompletableFuture<?>[Math.max(0, Math.min(forces.size(), AT_ONCE) - 1)];
        Arrays.setAll(helpers, i -> CompletableFuture.runAsync(work, threads));
        work.run();
        CompletableFuture.allOf(helpers).join();
        return Arrays.asList(failures);
    }

    private static @Nullable StorageException failureOf(Force force) {
        try {
            force.run();
            return null;
        } catch (StorageException e) {
            return e;
        } catch (RuntimeException | Error e) {
            return new StorageException("unforeseen: " + e, e);
        }
    }

    /** Ends the threads. Nothing is being forced. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
