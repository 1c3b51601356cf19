package io.hawser.agenta.testkit;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A disk executor without threads: tasks run on the loop, between its other work and in their order. A test may hold a lane.
 *
 * <p>Thread: any.
 */
final class LoopDisk implements DiskExecutor {
    private final EventLoop loop;
    /** What waits in the lanes that are held. */
    private final Map<Lane, Deque<Runnable>> held = new EnumMap<>(Lane.class);

    private int onLoop;
    private boolean dead;

    LoopDisk(EventLoop loop) {
        this.loop = loop;
    }

    /** Tasks of {@code lane} wait until {@link #release}. */
    synchronized void hold(Lane lane) {
        held.putIfAbsent(lane, new ArrayDeque<>());
    }

    /** What waits runs, and what follows at once. */
    synchronized void release() {
        for (Deque<Runnable> waiting : held.values()) {
            waiting.forEach(this::run);
        }
        held.clear();
    }

    /** The task of {@code lane} that waits longest runs; false if none waits. */
    synchronized boolean runOne(Lane lane) {
        Deque<Runnable> waiting = held.get(lane);
        Runnable task = waiting == null ? null : waiting.poll();
        if (task != null) {
            run(task);
        }
        return task != null;
    }

    /** The process has ended: nothing runs any more. */
    synchronized void die() {
        dead = true;
        held.clear();
    }

    /** Blocks until nothing is left to run but what is held; not to be called on the loop. */
    void settle() {
        int quietTurns = 0;
        while (quietTurns < 2) { // what a task has posted to the loop may be more work for the disk
            quietTurns = loop.submit(() -> running(Lane.CONTENT) == 0)
                            .awaitUninterruptibly()
                            .getNow()
                    ? quietTurns + 1
                    : 0;
        }
    }

    private void run(Runnable task) {
        onLoop++;
        loop.execute(() -> {
            if (!isDead()) {
                task.run();
            }
            ended();
        });
    }

    private synchronized boolean isDead() {
        return dead;
    }

    private synchronized void ended() {
        onLoop--;
    }

    @Override
    public synchronized boolean execute(Lane lane, Runnable task) {
        Deque<Runnable> waiting = held.get(lane);
        if (waiting == null) {
            run(task);
        } else {
            waiting.add(task);
        }
        return true;
    }

    @Override
    public SerialQueue serial(Lane lane, String name) {
        return new SerialQueue() {
            @Override
            public boolean execute(Runnable task) {
                return LoopDisk.this.execute(lane, task);
            }

            @Override
            public void close() {
                LoopDisk.this.close();
            }
        };
    }

    @Override
    public void after(Duration delay, Runnable post) {
        ScheduledFuture<?> unused = loop.schedule(post, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isConcurrent() {
        return false;
    }

    @Override
    public int threads(Lane lane) {
        return 1;
    }

    @Override
    public synchronized int waiting(Lane lane) {
        Deque<Runnable> waiting = held.get(lane);
        return waiting == null ? 0 : waiting.size();
    }

    /** In all lanes. */
    @Override
    public synchronized int running(Lane lane) {
        return onLoop;
    }

    @Override
    public void close() {
        release();
        settle();
    }
}
