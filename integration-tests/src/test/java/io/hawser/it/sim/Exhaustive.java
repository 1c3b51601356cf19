package io.hawser.it.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Every crash of a small transfer: each node dies after each step, by each kind of crash; and then, while it recovers, any node once more after
 * each step. And every changing call of each node's disk, for a transfer of several fragments and for one that travels whole: the process or
 * the machine ends before it, or it fails.
 */
final class Exhaustive {
    private static final int MAX_FAILURES = 10;
    /** Steps behind the recovery in which a second crash still strikes. */
    private static final int BEHIND = 10;

    /** Schedules that are run before it is told how far it has come. */
    private static final int BATCH = 25_000;

    private final int stride;
    private final Consumer<String> progress;
    private final Simulator simulator = new Simulator(MAX_FAILURES);
    private final List<String> failures = new ArrayList<>();
    private int firstSteps;
    private long first;
    private long possible;
    private long ofNodesThatAreDown;
    private long second;
    private long calls;

    /**
     * Creates it.
     *
     * @param stride of the second crashes only each so manieth, spread evenly; 1 for all
     * @param progress told now and then how far it has come
     */
    Exhaustive(int stride, Consumer<String> progress) {
        this.stride = stride;
        this.progress = progress;
    }

    void run() {
        SimChain undisturbed = new SimChain(ScheduleKind.EVERY_STEP.firstSeed(), PlantedBug.NONE, Reduction.NONE);
        undisturbed.runToEnd();
        firstSteps = (int) undisturbed.settledAtStep();
        List<CrashPoint> firsts = new ArrayList<>();
        for (int step = 1; step <= firstSteps; step++) {
            addAll(step, firsts);
        }
        first = firsts.size();
        run(firsts.stream().mapToLong(CrashPoint::toSeed).toArray());
        run(seconds(firsts));
        run(calls());
    }

    private long[] calls() {
        LongStream.Builder seeds = LongStream.builder();
        for (boolean large : new boolean[] {true, false}) {
            CallPoint none = new CallPoint(large, 0, 0, CallPoint.Way.KILL);
            SimChain undisturbed = new SimChain(none.toSeed(), PlantedBug.NONE, Reduction.NONE);
            undisturbed.runToEnd();
            for (int node = 0; node < CrashPoint.NODES; node++) {
                int last = (int) undisturbed.disk(node).door().calls();
                for (int call = 1; call <= last; call++) {
                    for (CallPoint.Way way : CallPoint.Way.values()) {
                        calls++;
                        seeds.add(new CallPoint(large, node, call, way).toSeed());
                    }
                }
            }
        }
        return seeds.build().toArray();
    }

    private static void addAll(int step, List<CrashPoint> crashes) {
        for (int node = 0; node < CrashPoint.NODES; node++) {
            for (CrashPoint.Survival survival : CrashPoint.Survival.values()) {
                crashes.add(new CrashPoint(step, node, survival, null));
            }
        }
    }

    /**
     * Second crashes: steps are counted from the first to where its node takes part again, and some more. What would strike a node that
     * is down already is the first crash alone.
     */
    private long[] seconds(List<CrashPoint> firsts) {
        LongStream.Builder seeds = LongStream.builder();
        for (CrashPoint before : firsts) {
            SimChain once = new SimChain(before.toSeed(), PlantedBug.NONE, Reduction.NONE);
            once.runToEnd();
            List<CrashPoint> all = new ArrayList<>();
            for (int step = 1; step <= once.stepsOfRecovery() + BEHIND; step++) {
                addAll(step, all);
            }
            for (CrashPoint each : all) {
                if (once.wasDown(each.step(), each.node())) {
                    ofNodesThatAreDown++;
                } else if (possible++ % stride == 0) {
                    second++;
                    seeds.add(new CrashPoint(before.step(), before.node(), before.survival(), each).toSeed());
                }
            }
        }
        return seeds.build().toArray();
    }

    private void run(long[] seeds) {
        List<Simulator.Failure> found = List.of();
        for (int from = 0; from < seeds.length && found.isEmpty(); from += BATCH) {
            int to = Math.min(from + BATCH, seeds.length);
            found = simulator.runAll(Arrays.stream(seeds, from, to), PlantedBug.NONE);
            progress.accept(String.format(
                    "%d of %d schedules, %d failed, %.0f s of processor time",
                    simulator.schedules(), first + second + calls, found.size(), simulator.cpuSeconds()));
        }
        for (Simulator.Failure failure : found) {
            failures.add(failure.cause() + "\n  integration-tests/lab sim replay " + failure.seed());
        }
    }

    List<String> failures() {
        return failures;
    }

    long schedules() {
        return simulator.schedules();
    }

    /** Whether all that was chosen was run, of each sort of crash some met a node that was up, and every chosen call was made. */
    boolean isComplete() {
        return simulator.schedules() == first + second + calls
                && simulator.neverMet(ScheduleKind.EVERY_STEP).isEmpty()
                && simulator.count(Fault.DIED_AT_A_CALL) + simulator.count(Fault.CALL_FAILED) == calls;
    }

    String report() {
        return String.format(
                "%d schedules of %d chosen, %d failed; %.1f s of processor time%n"
                        + "  one crash: after each of %d steps, of %d nodes, in %d ways: %d, of which %d met a node that was up%n"
                        + "  two: %s%d, of which %d before all were back from the first and %d up to %d steps behind that;"
                        + " %d more would strike a node that is down%n"
                        + "  something at each changing call of a disk, in %d ways, of a large transfer and a small one: %d%n"
                        + "  met on the way: %s",
                simulator.schedules(),
                first + second + calls,
                failures.size(),
                simulator.cpuSeconds(),
                firstSteps,
                CrashPoint.NODES,
                CrashPoint.Survival.values().length,
                first,
                simulator.count(Fault.FIRST_CRASH) - second,
                stride == 1 ? "all " : "one in " + stride + " of " + possible + ": ",
                second,
                simulator.count(Fault.SECOND_CRASH_IN_RECOVERY),
                simulator.count(Fault.SECOND_CRASH_BEHIND_RECOVERY),
                BEHIND,
                ofNodesThatAreDown,
                CallPoint.Way.values().length,
                calls,
                simulator.counts());
    }
}
