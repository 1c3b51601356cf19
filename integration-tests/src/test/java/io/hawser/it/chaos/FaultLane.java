package io.hawser.it.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Faults one after the other, drawn from a seed, each with its victim; first each kind once. Thread: its own. */
abstract class FaultLane {
    private static final int MAX_PAUSE_MILLIS = 1500;

    final Random random;
    final FaultCounts counts;
    final Violations violations;
    private final List<Fault> kinds;
    private final Deque<Fault> first;
    private final Thread thread;
    private volatile boolean stopping;

    FaultLane(String name, long seed, List<Fault> kinds, FaultCounts counts, Violations violations) {
        random = new Random(seed);
        this.kinds = kinds;
        this.counts = counts;
        this.violations = violations;
        List<Fault> shuffled = new ArrayList<>(kinds);
        Collections.shuffle(shuffled, random);
        first = new ArrayDeque<>(shuffled);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Does it, and mends it. */
    abstract void inject(Fault fault) throws Exception;

    void start() {
        if (!kinds.isEmpty()) {
            thread.start();
        }
    }

    /** Returns when each kind has happened and all is mended. */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
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
                Fault fault = first.isEmpty() ? oneOf(kinds) : first.remove();
                inject(fault);
                Thread.sleep(200 + random.nextInt(MAX_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            violations.add("void", Thread.currentThread().getName() + " failed: " + e);
        }
    }
}
