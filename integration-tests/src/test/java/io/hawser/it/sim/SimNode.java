package io.hawser.it.sim;

import io.hawser.core.model.NodeId;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.StoreRuntime;
import java.time.Instant;
import java.util.concurrent.Executor;

/** A process on a machine: it has lives; what an earlier life has set going does not happen any more. */
abstract class SimNode {
    final SimChain chain;
    final String name;
    final NodeId id;
    boolean up;
    int life;
    /** How far this machine's wall clock is off. */
    long clockOffMillis;

    private boolean restarting;
    /** While it is stopped nothing happens in the process; what is for it waits. */
    private long stoppedUntilNanos;

    SimNode(SimChain chain, String name, NodeId id) {
        this.chain = chain;
        this.name = name;
        this.id = id;
    }

    /** Runs {@code task} on this node after a delay, if it is still alive in the same life. */
    final void post(long delayNanos, Runnable task) {
        int born = life;
        chain.scheduler.after(delayNanos, () -> runIn(born, task));
    }

    private void runIn(int born, Runnable task) {
        if (up && life == born) {
            if (isStopped()) {
                whenItGoesOn(() -> runIn(born, task));
            } else {
                task.run();
            }
        }
    }

    /** The process is stopped, as by SIGSTOP, and continued later. */
    final void stop(long nanos) {
        stoppedUntilNanos = chain.scheduler.nowNanos() + nanos;
    }

    final boolean isStopped() {
        return chain.scheduler.nowNanos() < stoppedUntilNanos;
    }

    /** What waits for a process that is stopped; in the order in which it came. */
    final void whenItGoesOn(Runnable task) {
        chain.scheduler.after(stoppedUntilNanos - chain.scheduler.nowNanos(), task);
    }

    /** What a store needs of this process. */
    final StoreRuntime runtime(DiskExecutor disk) {
        return new StoreRuntime(disk, this::wallTime, chain.scheduler::nowNanos, chain.random, CrashPoints.NONE);
    }

    private Instant wallTime() {
        return Instant.ofEpochMilli(wallMillis());
    }

    /** The process's loop. */
    final Executor loop() {
        return task -> post(0, task);
    }

    /** Starts the process. */
    final void start() {
        up = true;
        stoppedUntilNanos = 0;
        restarting = false;
        life++;
        int born = life;
        ticks(born);
        boot();
        if (chain.plan.has(Fault.CRASH_IN_RECOVERY) && !chain.isHealed() && chain.random.nextInt(4) == 0) {
            post(chain.quick(), () -> {
                if (!isReady()) {
                    chain.count(Fault.CRASH_IN_RECOVERY);
                    crash(true);
                }
            });
        }
    }

    private void ticks(int born) {
        chain.scheduler.after(100 * Plan.MILLIS, () -> {
            if (up && life == born) {
                if (!isStopped()) {
                    tick();
                }
                ticks(born);
            }
        });
    }

    /** Ends the process, or the machine, and starts it again after a while. */
    final void crash(boolean powerCut) {
        if (!up) {
            return;
        }
        chain.trace(this, powerCut ? "loses its power" : "is killed", "");
        if (isStopped()) {
            chain.count(Fault.KILLED_WHILE_STOPPED);
        }
        die(powerCut);
        up = false;
        scheduleRestart();
    }

    private void scheduleRestart() {
        if (!restarting) {
            restarting = true;
            chain.scheduler.after((20 + chain.random.nextInt(400)) * Plan.MILLIS, this::start);
        }
    }

    /** This machine's wall clock. */
    final long wallMillis() {
        return chain.epochMillis() + clockOffMillis;
    }

    /** Whether its disk has failed in this life. */
    abstract boolean hasFailedDisk();

    /** Whether it has recovered and takes part. */
    abstract boolean isReady();

    abstract void boot();

    /** The process is about to end: what is on disk is all that stays. */
    abstract void die(boolean powerCut);

    abstract void tick();

    @Override
    public String toString() {
        return name;
    }
}
