package io.hawser.core.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates daemon threads with names: threads that do not keep a process from ending. Thread: any. */
public final class DaemonThreads {
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

    private static Thread create(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
