package io.hawser.it.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code integration-tests/lab sim planted}: shows of each planted bug that it is found, by which seed, and how soon. */
@Command(
        name = "planted",
        description =
                "Plants one bug after the other and looks for it; exit code 1 if one is not found in time, 3 if none was"
                        + " planted.",
        mixinStandardHelpOptions = true)
final class PlantedCommand implements Callable<Integer> {
    private static final int BATCH = 500;

    @Option(names = "--bug", description = "only these: ${COMPLETION-CANDIDATES}", split = ",")
    List<PlantedBug> bugs = List.of(PlantedBug.values());

    @Option(names = "--seconds", description = "limit for each (default ${DEFAULT-VALUE})", defaultValue = "60")
    int seconds;

    @Override
    public Integer call() {
        List<PlantedBug> missed = new ArrayList<>();
        int count = 0;
        for (PlantedBug bug : bugs) {
            if (bug != PlantedBug.NONE) {
                count++;
                if (!isFound(bug)) {
                    missed.add(bug);
                }
            }
        }
        System.out.printf(
                "%s: %d of %d planted bugs found%s%n",
                SimMain.commit(), count - missed.size(), count, missed.isEmpty() ? "" : "; not: " + missed);
        return count == 0 ? SimMain.VOID : missed.isEmpty() ? 0 : SimMain.FAILED;
    }

    private boolean isFound(PlantedBug bug) {
        long start = System.nanoTime();
        Simulator simulator = new Simulator(1);
        for (long next = bug.kind().firstSeed(); System.nanoTime() - start < seconds * 1_000_000_000L; next += BATCH) {
            List<Simulator.Failure> failures = simulator.runAll(LongStream.range(next, next + BATCH), bug);
            if (!failures.isEmpty()) {
                report(bug, simulator, failures.get(0), (System.nanoTime() - start) / 1e9);
                return true;
            }
        }
        System.out.printf("%-36s NOT FOUND in %d schedules%n", bug, simulator.schedules());
        return false;
    }

    private static void report(PlantedBug bug, Simulator simulator, Simulator.Failure failure, double took) {
        System.out.printf(
                "%-36s after %5d schedules, %5.1f s (%.1f s of processor time), seed %d%n    %s%n",
                bug,
                simulator.schedules(),
                took,
                simulator.cpuSeconds(),
                failure.seed(),
                String.valueOf(failure.cause().getMessage()).lines().findFirst().orElse(""));
        Shrinker.Shrunk shrunk = new Shrinker(failure.seed(), bug, failure.cause(), System::nanoTime).shrink();
        System.out.printf(
                "    integration-tests/lab sim replay %d --bug %s%s   (%d uploads, %d faults)%n",
                failure.seed(), bug, shrunk.reduction().toOptions(), shrunk.uploads(), shrunk.faults());
    }
}
