package io.hawser.it.sim;

import java.util.BitSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code integration-tests/lab sim replay}: one schedule again, with what happens in it. */
@Command(
        name = "replay",
        description = "Runs one schedule again and prints what happens; exit code 1 if it goes wrong.",
        mixinStandardHelpOptions = true)
final class ReplayCommand implements Callable<Integer> {
    @Parameters(paramLabel = "SEED", description = "the schedule")
    long seed;

    @Option(names = "--without-faults", description = "faults that do not strike, by their count: 0-3,7")
    @Nullable
    String faults;

    @Option(names = "--without-uploads", description = "uploads that never begin, by their count")
    @Nullable
    String uploads;

    @Option(names = "--bug", description = "a planted bug: ${COMPLETION-CANDIDATES}", defaultValue = "NONE")
    PlantedBug bug = PlantedBug.NONE;

    @Option(names = "--quiet", description = "only what comes of it")
    boolean quiet;

    @Override
    public Integer call() {
        Reduction reduction = new Reduction(
                faults == null ? new BitSet() : Reduction.parse(faults),
                uploads == null ? new BitSet() : Reduction.parse(uploads));
        SimChain chain = new SimChain(seed, bug, reduction);
        chain.traced(!quiet);
        chain.runToEnd();
        System.out.println(chain.plan);
        System.out.printf("%d events, %d faults: %s%n", chain.steps(), chain.faultsStruck(), chain.counts);
        Throwable failure = chain.failure();
        System.out.println(failure == null ? "all invariants hold" : "FAILED: " + failure);
        if (failure != null && !(failure instanceof Invariants.Violation)) {
            failure.printStackTrace(System.out);
        }
        return failure == null ? 0 : 1;
    }
}
