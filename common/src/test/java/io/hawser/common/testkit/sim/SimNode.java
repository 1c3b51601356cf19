package io.hawser.common.testkit.sim;

import io.hawser.common.model.NodeId;

/** A process on a machine: it has lives; what an earlier life has set going does not happen any more. */
abstract class SimNode {
    final Chain chain;
    final String name;
    final NodeId id;
    boolean up;
    int life;
    /** Until when this node's disk refuses what it has not promised to take. */
    long fullUntilNanos;
    /** How far this machine's wall clock is off. */
    long clockOffMillis;

    private boolean restarting;

    SimNode(Chain chain, String name, NodeId id) {
        this.chain = chain;
        this.name = name;
        this.id = id;
    }

    /** Runs {@code task} on this node after a delay, if it is still alive in the same life. */
    final void post(long delayNanos, Runnable task) {
        int born = life;
        chain.scheduler.after(delayNanos, () -> {
            if (up && life == born) {
                task.run();
            }
        });
    }

    /** Starts the process. */
    final void start() {
        up = true;
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
                tick();
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
        chain.invariants.resumeFromDurable.died(this);
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

    boolean isFull() {
        return chain.scheduler.nowNanos() < fullUntilNanos;
    }

    abstract SimJournal<?> journal();

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
