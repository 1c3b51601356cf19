package io.hawser.it.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code integration-tests/lab sim run}: schedules of each kind, by number or by time. */
@Command(
        name = "run",
        description =
                "Runs schedules; exit code 1 if one goes wrong, 3 if a fault never happened, or no schedule of a kind was run, and"
                        + " the run proves nothing of it.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    private static final int BATCH = 600;
    private static final int MAX_FAILURES = 5;

    @Option(
            names = "--schedules",
            description = "how many of each kind (default ${DEFAULT-VALUE})",
            defaultValue = "1000")
    int schedules;

    @Option(names = "--minutes", description = "instead: for how long, all kinds together")
    double minutes;

    @Option(names = "--kind", description = "which kinds: ${COMPLETION-CANDIDATES} (default all)", split = ",")
    List<ScheduleKind> kinds =
            Arrays.stream(ScheduleKind.values()).filter(ScheduleKind::isRandom).toList();

    @Option(names = "--from", description = "how many seeds of each kind are skipped", defaultValue = "0")
    long from;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        checkNumbers();
        List<KindRun> runs = new ArrayList<>();
        kinds.stream().distinct().forEach(kind -> runs.add(new KindRun(kind)));
        long end = System.nanoTime() + (long) (minutes * 60e9);
        boolean more = true;
        for (int batch = 0; more; batch++) {
            KindRun next = runs.get(batch % runs.size());
            next.more(minutes > 0 ? BATCH / kinds.size() : schedules);
            boolean lastOfRound = (batch + 1) % runs.size() == 0;
            boolean failed = runs.stream().anyMatch(run -> !run.failures.isEmpty());
            more = !failed && (minutes > 0 ? System.nanoTime() < end : !lastOfRound);
        }
        System.out.println(SimMain.commit());
        List<Integer> codes = runs.stream().map(KindRun::report).toList();
        // A failure is one, whatever was not come to because of it.
        return codes.contains(SimMain.FAILED) ? SimMain.FAILED : codes.contains(SimMain.VOID) ? SimMain.VOID : 0;
    }

    private void checkNumbers() {
        if (schedules < 1 || from < 0 || minutes < 0 || Double.isNaN(minutes)) {
            throw new ParameterException(
                    spec.commandLine(), "--schedules is 1 or more, --minutes and --from are not negative");
        }
        if (!kinds.stream().allMatch(ScheduleKind::isRandom)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--kind: seeds of EVERY_STEP and EVERY_CALL are not drawn; see integration-tests/lab sim exhaustive");
        }
    }

    private final class KindRun {
        private final ScheduleKind kind;
        private final Simulator simulator = new Simulator(MAX_FAILURES);
        private List<Simulator.Failure> failures = List.of();
        private long next;

        KindRun(ScheduleKind kind) {
            this.kind = kind;
            this.next = kind.firstSeed() + from;
        }

        void more(int count) {
            failures = simulator.runAll(LongStream.range(next, next + count), PlantedBug.NONE);
            next += count;
        }

        int report() {
            System.out.printf("%s, seeds %d to %d: %s%n", kind, kind.firstSeed() + from, next - 1, simulator.report());
            failures.forEach(RunCommand::describe);
            if (!failures.isEmpty()) {
                return SimMain.FAILED;
            }
            if (simulator.schedules() == 0) {
                System.out.println("VOID: not one was run");
                return SimMain.VOID;
            }
            System.out.println("  " + SimMain.bound(simulator.schedules()));
            List<Fault> neverMet = simulator.neverMet(kind);
            if (!neverMet.isEmpty()) {
                System.out.println("VOID: these never happened: " + neverMet);
                return SimMain.VOID;
            }
            return 0;
        }
    }

    /** What went wrong, and the smallest schedule that shows it. */
    private static void describe(Simulator.Failure failure) {
        System.out.println("FAILED: " + failure.cause());
        System.out.println("  integration-tests/lab sim replay " + failure.seed());
        Shrinker.Shrunk shrunk =
                new Shrinker(failure.seed(), PlantedBug.NONE, failure.cause(), System::nanoTime).shrink();
        System.out.printf(
                "  smaller (%d uploads, %d faults, found in %d runs):%n  integration-tests/lab sim replay %d%s%n",
                shrunk.uploads(),
                shrunk.faults(),
                shrunk.runs(),
                failure.seed(),
                shrunk.reduction().toOptions());
    }
}
