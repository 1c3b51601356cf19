package io.hawser.ops.http;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread that answers requests one at a time, with a bounded queue, so that slow pages cannot delay others. The thread ends when it is idle.
 *
 * <p>Thread: any.
 */
public final class RequestExecutor implements Executor, AutoCloseable {
    private static final long IDLE_THREAD_SECONDS = 10;

    private final ThreadPoolExecutor executor;

    /**
     * @param name of its thread
     * @param waiting the most requests that wait
     */
    public RequestExecutor(String name, int waiting) {
        executor = new ThreadPoolExecutor(
                1, 1, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(waiting), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /** Queues a task; throws RejectedExecutionException if the queue is full or the lane is closed. */
    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Queues a task; false if the queue is full or the lane is closed. */
    boolean offer(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Takes no more tasks; runs the queued ones. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
