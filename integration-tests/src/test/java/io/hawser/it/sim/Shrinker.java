package io.hawser.it.sim;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a failing schedule smaller: leaves out uploads, then faults (halves, quarters, ..., single ones), as long as the same invariant
 * is still broken. A few dozen runs; bounded by time.
 */
final class Shrinker {
    private static final long MAX_NANOS = 20_000_000_000L;

    private final long seed;
    private final PlantedBug bug;
    private final String symptom;
    private final LongSupplier nanoClock;
    private int runs;

    Shrinker(long seed, PlantedBug bug, Throwable failure, LongSupplier nanoClock) {
        this.seed = seed;
        this.bug = bug;
        this.symptom = symptom(failure);
        this.nanoClock = nanoClock;
    }

    /** A schedule that still fails, and how large it is. */
    record Shrunk(Reduction reduction, int faults, int uploads, int runs) {}

    /** What went wrong, without whom it concerned. */
    static String symptom(Throwable failure) {
        return failure instanceof Invariants.Violation violation
                ? violation.invariant.name()
                : failure.getClass().getName();
    }

    Shrunk shrink() {
        long end = nanoClock.getAsLong() + MAX_NANOS;
        Reduction best = Reduction.NONE;
        SimChain chain = run(best);
        for (int upload = 0; upload < chain.wishes(); upload++) {
            best = tried(best, best.withoutUpload(upload));
        }
        int faults = run(best).faultsDrawn();
        for (int part = Math.max(1, faults / 2); part > 0 && nanoClock.getAsLong() < end; part /= 2) {
            for (int from = 0; from < faults && nanoClock.getAsLong() < end; from += part) {
                best = tried(best, best.withoutFaults(from, Math.min(faults, from + part)));
            }
            faults = run(best).faultsDrawn();
        }
        SimChain smallest = run(best);
        return new Shrunk(
                best,
                smallest.faultsStruck(),
                smallest.wishes() - best.uploads().cardinality(),
                runs);
    }

    private Reduction tried(Reduction before, Reduction smaller) {
        SimChain chain = run(smaller);
        return symptom.equals(chain.symptom()) ? smaller : before;
    }

    private SimChain run(Reduction reduction) {
        runs++;
        SimChain chain = new SimChain(seed, bug, reduction);
        chain.runToEnd();
        return chain;
    }

    /** What came of a run: null if nothing went wrong. */
    static @Nullable String symptomOf(@Nullable Throwable failure) {
        return failure == null ? null : symptom(failure);
    }
}
