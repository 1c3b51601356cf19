package io.hawser.common.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Every crash of a small transfer: each node dies after each step, by each kind of crash; and then, while it recovers, any node once more after
 * each step.
 */
final class Exhaustive {
    private static final int NODES = 3;
    private static final int MAX_FAILURES = 10;
    /** Steps behind the recovery in which a second crash still strikes. */
    private static final int BEHIND = 10;

    private final int stride;
    private final Simulator simulator = new Simulator(MAX_FAILURES);
    private final List<String> failures = new ArrayList<>();
    private int firstSteps;
    private long single;
    private long twice;

    /** @param stride of the second crashes only each so manieth, spread evenly; 1 for all */
    Exhaustive(int stride) {
        this.stride = stride;
    }

    void run() {
        Chain undisturbed = new Chain(ScheduleKind.EVERY_STEP.firstSeed(), PlantedBug.NONE, Reduction.NONE);
        undisturbed.runToEnd();
        firstSteps = (int) undisturbed.settledAtStep();
        List<CrashPoint> firsts = new ArrayList<>();
        for (int step = 1; step <= firstSteps; step++) {
            for (int node = 0; node < NODES; node++) {
                for (CrashPoint.Survival survival : CrashPoint.Survival.values()) {
                    firsts.add(new CrashPoint(step, node, survival, null));
                }
            }
        }
        single = firsts.size();
        run(firsts.stream().mapToLong(CrashPoint::toSeed));
        run(seconds(firsts));
    }

    /** Second crashes: steps are counted from the first to where its node takes part again, and some more. */
    private LongStream seconds(List<CrashPoint> firsts) {
        List<Long> seeds = new ArrayList<>();
        long number = 0;
        for (CrashPoint first : firsts) {
            Chain once = new Chain(first.toSeed(), PlantedBug.NONE, Reduction.NONE);
            once.runToEnd();
            int window = once.stepsOfRecovery() + BEHIND;
            for (int step = 1; step <= window; step++) {
                for (int node = 0; node < NODES; node++) {
                    for (CrashPoint.Survival survival : CrashPoint.Survival.values()) {
                        if (number++ % stride == 0) {
                            CrashPoint second = new CrashPoint(step, node, survival, null);
                            seeds.add(new CrashPoint(first.step(), first.node(), first.survival(), second).toSeed());
                        }
                    }
                }
            }
        }
        twice = seeds.size();
        return seeds.stream().mapToLong(Long::longValue);
    }

    private void run(LongStream seeds) {
        for (Simulator.Failure failure : simulator.runAll(seeds, PlantedBug.NONE)) {
            failures.add(failure.cause() + "\n  ./hawser-sim replay " + failure.seed() + "   "
                    + CrashPoint.ofSeed(failure.seed()));
        }
    }

    List<String> failures() {
        return failures;
    }

    long schedules() {
        return simulator.schedules();
    }

    String report() {
        return String.format(
                "%d schedules: one crash at each of %d steps of %d nodes in %d ways (%d), and a second one behind it (%d%s); %d failed; %.1f s of"
                        + " processor time",
                simulator.schedules(),
                firstSteps,
                NODES,
                CrashPoint.Survival.values().length,
                single,
                twice,
                stride == 1 ? ", all" : ", one in " + stride,
                failures.size(),
                simulator.cpuSeconds());
    }
}
