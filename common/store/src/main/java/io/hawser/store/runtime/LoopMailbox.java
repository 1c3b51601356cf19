package io.hawser.store.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way back from disk threads to the loop. Completions that come together wake it once. What is posted after the loop has ended, or
 * after {@link #close}, is dropped.
 *
 * <p>Thread: any.
 */
public final class LoopMailbox {
    private static final Logger LOG = LoggerFactory.getLogger(LoopMailbox.class);

    private final Executor loop;
    private final Object lock = new Object();
    private Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean scheduled;
    private volatile boolean closed;

    public LoopMailbox(Executor loop) {
        this.loop = loop;
    }

    /** Runs {@code task} on the loop, never inside this call, after everything that was posted before. */
    public void post(Runnable task) {
        synchronized (lock) {
            waiting.add(task);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        wakeLoop();
    }

    /** From now on the loop gets nothing more: to it, it is as if the process had ended. */
    public void close() {
        closed = true;
    }

    private void wakeLoop() {
        try {
            loop.execute(this::drain);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The loop has ended; what was still to be told is dropped");
        }
    }

    private void drain() {
        Deque<Runnable> taken;
        synchronized (lock) {
            taken = waiting;
            waiting = new ArrayDeque<>();
            scheduled = false;
        }
        try {
            for (Runnable task = taken.poll(); task != null && !closed; task = taken.poll()) {
                task.run();
            }
        } finally {
            if (!taken.isEmpty() && !closed) { // a task threw: the others are not to be lost with it
                putBack(taken);
            }
        }
    }

    /** They come before what has been posted since. */
    private void putBack(Deque<Runnable> rest) {
        boolean wake;
        synchronized (lock) {
            rest.addAll(waiting);
            waiting = rest;
            wake = !scheduled;
            scheduled = true;
        }
        if (wake) {
            wakeLoop();
        }
    }
}
