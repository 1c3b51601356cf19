package io.hawser.core.thread;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates daemon threads with names: threads that do not keep a process from ending. Thread: any. */
public final class DaemonThreads {
    private static final int IDLE_SECONDS = 30;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private DaemonThreads() {}

    /** A factory whose threads all have that name, for executors of one thread. */
    public static ThreadFactory named(String name) {
        return task -> create(name, task);
    }

    /** A factory whose threads are called {@code prefix} and a number from 1. */
    public static ThreadFactory numbered(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> create(prefix + number.incrementAndGet(), task);
    }

    public static Thread start(String name, Runnable task) {
        Thread thread = create(name, task);
        thread.start();
        return thread;
    }

    /** A pool of at most {@code count} threads, called {@code prefix} and a number; idle ones end after {@value #IDLE_SECONDS} s. */
    public static ThreadPoolExecutor pool(String prefix, int count) {
        return pool(numbered(prefix), count, new LinkedBlockingQueue<>());
    }

    /** A pool of at most {@code count} threads whose waiting tasks are in {@code queue}; idle threads end likewise. */
    public static ThreadPoolExecutor pool(ThreadFactory factory, int count, BlockingQueue<Runnable> queue) {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(count, count, IDLE_SECONDS, TimeUnit.SECONDS, queue, factory);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    public static ScheduledThreadPoolExecutor timer(String name) {
        return new ScheduledThreadPoolExecutor(1, named(name));
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

    private static Thread create(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
