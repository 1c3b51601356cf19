package io.hawser.common.spool;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from the disk threads to the loop. Many completions that come together wake the loop once. What is posted after the
 * loop has ended is dropped.
 *
 * <p>Thread: any.
 */
final class Mailbox {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

    private final Executor loop;
    private final Object lock = new Object();
    private Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean scheduled;

    Mailbox(Executor loop) {
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
        try {
            loop.execute(this::drain);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The loop has ended; what was still to be told is dropped");
        }
    }

    private void drain() {
        Queue<Runnable> taken;
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
            // Empty, unless a task threw: the others are not to be lost with it.
            taken.forEach(this::post);
        }
    }
}
