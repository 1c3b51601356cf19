package io.hawser.store.testkit;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * A disk executor without threads: each task runs when the test, or the simulator, says so. What is delayed never runs.
 *
 * <p>Thread: the test's.
 */
public final class SteppedDisk implements DiskExecutor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    /** A runtime with this, with clocks that stand and with the same random numbers each time. */
    public StoreRuntime runtime() {
        return StoreRuntime.of(this).withClocks(() -> Instant.EPOCH, () -> 0).withRandom(new SplittableRandom(1));
    }

    /** Runs the next task; false if there is none. */
    public boolean runOne() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    public boolean hasTask() {
        return !tasks.isEmpty();
    }

    @Override
    public boolean execute(Lane lane, Runnable task) {
        return tasks.add(task);
    }

    @Override
    public SerialQueue serial(Lane lane, String name) {
        return new SerialQueue() {
            @Override
            public boolean execute(Runnable task) {
                return tasks.add(task);
            }

            @Override
            public void close() {
                SteppedDisk.this.close();
            }
        };
    }

    @Override
    public void after(Duration delay, Runnable post) {}

    @Override
    public boolean isConcurrent() {
        return false;
    }

    @Override
    public int threads(Lane lane) {
        return 1;
    }

    @Override
    public int waiting(Lane lane) {
        return tasks.size();
    }

    @Override
    public int running(Lane lane) {
        return 0;
    }

    @Override
    public void close() {
        while (hasTask()) {
            runOne();
        }
    }
}
