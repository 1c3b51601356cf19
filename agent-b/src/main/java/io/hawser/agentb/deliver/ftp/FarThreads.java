package io.hawser.agentb.deliver.ftp;

import io.hawser.core.thread.DaemonThreads;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes the threads that speak to far servers: a fixed number, which end when there is nothing to do. */
final class FarThreads {
    private static final int IDLE_SECONDS = 30;
    private static final int CLOSE_SECONDS = 5;

    private FarThreads() {}

    static ThreadPoolExecutor create(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.numbered(name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Waits for the end of threads that were interrupted, as long as that makes sense. */
    static void awaitEnd(ThreadPoolExecutor threads) {
        try {
            boolean unused = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
