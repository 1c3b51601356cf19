package io.hawser.agentb.threads;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the threads that block on far servers and disks. All are daemons, so that none that hangs keeps the node from ending. */
public final class DaemonThreads {
    private static final int IDLE_SECONDS = 30;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private DaemonThreads() {}

    /** Starts one thread. */
    public static Thread start(String name, Runnable work) {
        Thread thread = make(name, work);
        thread.start();
        return thread;
    }

    /** A pool of at most {@code count} threads, called {@code prefix} and a number; idle ones end after {@value #IDLE_SECONDS} s. */
    public static ThreadPoolExecutor pool(String prefix, int count) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> make(prefix + number.incrementAndGet(), task));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** A timer of one thread. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        return new ScheduledThreadPoolExecutor(1, task -> make(name, task));
    }

    /** Waits up to 5 s for the end of threads that were interrupted; whether they have ended. */
    public static boolean awaitEnd(ThreadPoolExecutor threads) {
        try {
            return threads.awaitTermination(CLOSE_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static Thread make(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
