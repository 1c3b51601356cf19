package io.hawser.it.chaos;

import io.hawser.it.ledger.Violations;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Faults one after the other, drawn from a seed, each with its victim; first each kind once. Thread: its own. */
abstract class FaultLane {
    private static final int MIN_PAUSE_MILLIS = 200;
    /** So long is waited for progress. */
    private static final int PATIENCE_MILLIS = 10_000;

    private static final long END_LIMIT_MILLIS = 2 * TestTimes.LIMIT.toMillis();

    final Random random;
    final FaultCounts counts;
    final Violations violations;
    final Deployment deployment;
    private final String name;
    /** Mean time from the beginning of a fault to that of the next, ms; longer if the fault takes longer. */
    private final int pause;

    private final List<Fault> drawn;
    private final Deque<Fault> first;
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * A lane that has not begun.
     *
     * @param drawn a kind that is there more than once is drawn more often
     */
    FaultLane(String name, long seed, List<Fault> drawn, RunParts run) {
        this.name = name;
        pause = run.settings().faultPause();
        this.drawn = drawn;
        counts = run.counts();
        violations = run.violations();
        deployment = run.deployment();
        random = new Random(seed);
        List<Fault> shuffled = new ArrayList<>(drawn.stream().distinct().toList());
        Collections.shuffle(shuffled, random);
        first = new ArrayDeque<>(shuffled);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(violations::ended);
    }

    /** Does it, and mends it. */
    abstract void inject(Fault fault) throws Exception;

    /** Whether there was progress since the last fault: faults without any only show that nothing can be done. */
    boolean mayGoOn() {
        return true;
    }

    /** Finds what does not run although nobody killed it, and starts it again. */
    void reviveTheDead() throws IOException, InterruptedException {}

    void start() {
        if (!drawn.isEmpty()) {
            thread.start();
        }
    }

    /** No more faults than are needed for one of each kind. */
    void stop() {
        stopping = true;
    }

    /** Returns when all is mended; a lane that takes too long for that is a finding. */
    void join() throws InterruptedException {
        thread.join(END_LIMIT_MILLIS);
        if (thread.isAlive()) {
            violations.add("void", name + " does not come to its end: " + List.of(thread.getStackTrace()));
        }
    }

    /** Mostly short, sometimes long. */
    int someMillis(int usual, int longest) {
        return random.nextInt(8) == 0 ? random.nextInt(longest) : random.nextInt(usual);
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void run() {
        try {
            while (!stopping || !first.isEmpty()) {
                long began = System.nanoTime();
                inject(first.isEmpty() ? oneOf(drawn) : first.remove());
                rest(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            violations.add("void", name + " failed: " + e);
        }
    }

    private void rest(long busyMillis) throws InterruptedException {
        long millis = Math.max(MIN_PAUSE_MILLIS, random.nextInt(2 * pause) - busyMillis);
        long limit = millis + PATIENCE_MILLIS;
        for (long slept = 0;
                !stopping && (slept < millis || (slept < limit && !mayGoOn()));
                slept += MIN_PAUSE_MILLIS) {
            Thread.sleep(MIN_PAUSE_MILLIS);
        }
    }
}
