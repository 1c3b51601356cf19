package io.hawser.store.runtime;

import io.hawser.core.meter.DurationHistogram;

/**
 * A task that records how long it waited for its thread.
 *
 * <p>Thread: {@link #run} the lane's.
 */
record WaitingTask(Runnable task, long sinceNanos, DurationHistogram waits) implements Runnable {
    static WaitingTask now(Runnable task, DurationHistogram waits) {
        return new WaitingTask(task, System.nanoTime(), waits);
    }

    @Override
    public void run() {
        waits.record(System.nanoTime() - sinceNanos);
        task.run();
    }
}
