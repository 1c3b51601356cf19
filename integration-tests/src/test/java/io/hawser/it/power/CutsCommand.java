package io.hawser.it.power;

import io.hawser.it.harness.CloseAtExit;
import io.hawser.it.ledger.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code integration-tests/lab power cuts}. */
@Command(
        name = "cuts",
        mixinStandardHelpOptions = true,
        description =
                "Cuts the power of the nodes' disks (loop devices; for root) under uploads by FTP and the Java API. Continues where an"
                        + " earlier run of the same commit, file system and seed ended. Exit code 0: nothing of this commit in the journal"
                        + " was violated; 1: something was; 2: usage, nothing was begun; 3: void, since there was no cut or a"
                        + " control says that the cuts were none.")
final class CutsCommand extends TrialCommand<Cut> {
    @Option(names = "--cuts", description = "up to which number (default: ${DEFAULT-VALUE})")
    private int cuts = 100;

    @Option(names = "--fs", description = "ext4 or xfs (default: ${DEFAULT-VALUE})")
    private String fileSystem = "ext4";

    @Option(names = "--seed", description = "what decides whose power is cut and when (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--without-force",
            description =
                    "lets no force of the nodes do anything, adds nothing to the journal, and succeeds if that is found out;"
                            + " needs a C compiler")
    private boolean lying;

    CutsCommand() {
        super(Cut.class, "power-cuts.jsonl", "hawser-power");
    }

    @Override
    public Integer call() throws Exception {
        if (!lying || isSummaryOnly()) {
            return super.call();
        }
        checkOptions();
        List<Cut> seen = new ArrayList<>();
        run(1, seen::add);
        int verdict = Verdict.of(seen.size(), Trial.violations(seen));
        boolean found = verdict == Verdict.FAILED;
        System.out.println(found ? "found out" : "NOT found out: the cuts show nothing");
        return found ? Verdict.HOLDS : verdict == Verdict.VOID ? Verdict.VOID : Verdict.FAILED;
    }

    @Override
    void checkOptions() {
        Verdict.requireKnown(spec, "--fs", List.of(fileSystem), List.of("ext4", "xfs"));
        if (cuts < 1) {
            throw Verdict.usage(spec, "--cuts is 1 or more");
        }
    }

    @Override
    String summary(List<Cut> trials) {
        return CutSummary.of(trials);
    }

    /** The number of the last cut with this file system and seed. */
    @Override
    int count(List<Cut> ofCommit) {
        return ofCommit.stream()
                .filter(cut -> cut.fileSystem().equals(fileSystem) && cut.seed() == seed)
                .mapToInt(Cut::number)
                .max()
                .orElse(0);
    }

    @Override
    void runMissing(List<Cut> before, Consumer<Cut> each) throws Exception {
        int first = 1 + count(Trial.of(COMMIT, before));
        if (first <= cuts) {
            run(first, each);
        }
    }

    private void run(int first, Consumer<Cut> each) throws Exception {
        Path data = makeData();
        System.err.println("power: cuts " + first + " to " + cuts + " on " + fileSystem + ", disks in " + data);
        PowerRun run = new PowerRun(data, fileSystem, seed, lying);
        Consumer<Cut> told = cut -> {
            each.accept(cut);
            System.err.println("cut " + cut.number() + " of " + cut.victims() + ": " + cut.acked()
                    + " acknowledged, all there after " + cut.readyMillis() + " + " + cut.settledMillis() + " ms"
                    + (cut.violations().isEmpty() ? "" : ": " + cut.violations()));
        };
        if (CloseAtExit.run(run, () -> run.run(first, cuts, told))) {
            deleteData(data);
        }
    }
}
