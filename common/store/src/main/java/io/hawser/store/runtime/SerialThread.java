package io.hawser.store.runtime;

import io.hawser.core.meter.DurationHistogram;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A serial queue with one thread, which starts with the first task. Nothing interrupts the thread: an interrupt would close the file that
 * it works on.
 *
 * <p>Thread: any.
 */
final class SerialThread implements SerialQueue {
    private static final Logger LOG = LoggerFactory.getLogger(SerialThread.class);

    private final Thread thread;
    private final DurationHistogram waits;
    private final Consumer<SerialThread> whenClosed;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean started;
    private boolean idle;
    private boolean closed;

    /**
     * @param waits records how long tasks waited
     * @param whenClosed called once it has ended
     */
    SerialThread(String name, DurationHistogram waits, Consumer<SerialThread> whenClosed) {
        this.waits = waits;
        this.thread = new Thread(this::run, name);
        this.whenClosed = whenClosed;
    }

    @Override
    public synchronized boolean execute(Runnable task) {
        if (closed && Thread.currentThread() != thread) {
            return false;
        }
        tasks.add(WaitingTask.now(task, waits));
        if (!started) {
            started = true;
            thread.start();
        } else if (idle) {
            idle = false;
            notifyAll();
        }
        return true;
    }

    synchronized int waiting() {
        return tasks.size();
    }

    synchronized boolean isRunning() {
        return started && !idle && thread.isAlive();
    }

    private void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.atError().setCause(e).log("A task of a disk thread failed unexpectedly; the next one follows");
            }
        }
    }

    /** The next task; null after the last. */
    private synchronized @Nullable Runnable next() {
        while (tasks.isEmpty() && !closed) {
            idle = true;
            try {
                wait();
            } catch (InterruptedException e) {
                LOG.atDebug().log("A disk thread ignores an interrupt");
            }
        }
        idle = false;
        return tasks.poll();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // what was accepted has to be written
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        whenClosed.accept(this);
    }
}
