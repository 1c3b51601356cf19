package io.hawser.store.spool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes completions from the disk threads to the loop, and wakes the loop once for many. Many completions that come together
 * wake the loop once. What is posted after the loop has ended is dropped.
 *
 * <p>Thread: any.
 */
final class LoopMailbox {
    private static final Logger LOG = LoggerFactory.getLogger(LoopMailbox.class);

    private final Executor loop;
    private final Object lock = new Object();
    private Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean scheduled;

    LoopMailbox(Executor loop) {
        this.loop = loop;
    }

    /** Runs {@code task} on the loop, never inside this call, after everything that was posted before. */
    void post(Runnable task) {
        synchronized (lock) {
            waiting.add(task);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        wakeLoop();
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
            for (Runnable task = taken.poll(); task != null; task = taken.poll()) {
                task.run();
            }
        } finally {
            if (!taken.isEmpty()) { // a task threw: the others are not to be lost with it
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
