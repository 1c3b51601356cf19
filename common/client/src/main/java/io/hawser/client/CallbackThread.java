package io.hawser.client;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread {@code hawser-callbacks}, on which a program's futures complete. It discards what comes after the close: futures then stay
 * pending.
 *
 * <p>Thread: any.
 */
final class CallbackThread implements Executor, AutoCloseable {
    private static final int CLOSE_SECONDS = 5;

    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            this::thread,
            new ThreadPoolExecutor.DiscardPolicy());
    private volatile @Nullable Thread thread;

    private Thread thread(Runnable task) {
        Thread made = new Thread(task, "hawser-callbacks");
        made.setDaemon(true);
        thread = made;
        return made;
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Waits {@value #CLOSE_SECONDS} s at most for the callbacks of completed futures; not at all if one of them calls this. */
    @Override
    public void close() {
        executor.shutdown();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            boolean unused = executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
