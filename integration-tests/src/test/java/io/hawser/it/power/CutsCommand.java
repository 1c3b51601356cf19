package io.hawser.it.power;

import io.hawser.release.process.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code integration-tests/lab power cuts}. */
@Command(
        name = "cuts",
        mixinStandardHelpOptions = true,
        description =
                "Cuts the power of the nodes' disks (loop devices; for root) under uploads by FTP and the Java API. Goes on where an"
                        + " earlier run of the same commit, file system and seed ended. Exit code 0: nothing of this commit in the journal"
                        + " was violated; 1: something was; 2: usage, nothing was begun; 3: void, since there was no cut or a"
                        + " control says that the cuts were none.")
final class CutsCommand implements Callable<Integer> {
    private static final String COMMIT = System.getProperty("hawser.commit", "unknown");

    @Option(names = "--cuts", description = "up to which number (default: ${DEFAULT-VALUE})")
    private int cuts = 100;

    @Option(names = "--fs", description = "ext4 or xfs (default: ${DEFAULT-VALUE})")
    private String fileSystem = "ext4";

    @Option(names = "--seed", description = "what decides whose power is cut and when (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--journal", description = "a line of JSON for each cut is added to it (default: ${DEFAULT-VALUE})")
    private Path journal = Path.of("power-cuts.jsonl");

    @Option(
            names = "--dir",
            description = "a new directory for disks and logs, kept (default: one in /dev/shm, kept if not all holds)")
    private @Nullable Path directory;

    @Option(
            names = "--without-force",
            description =
                    "lets no force of the nodes do anything, adds nothing to the journal, and succeeds if that is found out;"
                            + " needs a C compiler")
    private boolean lying;

    @Option(names = "--summary", description = "only says what the journal adds up to")
    private boolean summaryOnly;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        checkWords();
        CutJournal all = new CutJournal(journal);
        int first = 1 + lastDone(all);
        if (summaryOnly) {
            System.out.print(CutJournal.summary(all.cuts()));
            List<Cut> cutsOfCommit = all.of(COMMIT);
            return Verdict.of(cutsOfCommit.size(), CutJournal.violations(cutsOfCommit));
        }
        if (lying) {
            List<Cut> seen = new ArrayList<>();
            run(1, seen::add);
            int verdict = Verdict.of(seen.size(), CutJournal.violations(seen));
            boolean found = verdict == Verdict.FAILED;
            System.out.println(found ? "found out" : "NOT found out: the cuts show nothing");
            return found ? Verdict.HOLDS : verdict == Verdict.VOID ? Verdict.VOID : Verdict.FAILED;
        }
        if (first <= cuts) {
            run(first, all::add);
        }
        System.out.print(CutJournal.summary(all.cuts()));
        return Verdict.of(lastDone(all), CutJournal.violations(all.of(COMMIT)));
    }

    private void checkWords() {
        Verdict.requireKnown(spec, "--fs", List.of(fileSystem), List.of("ext4", "xfs"));
        if (cuts < 1) {
            throw Verdict.usage(spec, "--cuts is 1 or more");
        }
    }

    /** The last cut of such a run that the journal has; before a run also whether it takes more. */
    private int lastDone(CutJournal all) {
        try {
            if (!summaryOnly && !lying) {
                all.checkWritable();
            }
            return all.last(COMMIT, fileSystem, seed);
        } catch (IOException e) {
            throw Verdict.usage(spec, "--journal", e);
        }
    }

    private Path directory() {
        Path memory = Path.of("/dev/shm");
        Path usual = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return directory == null
                    ? Files.createTempDirectory(usual, "hawser-power")
                    : Files.createDirectories(directory);
        } catch (IOException e) {
            throw Verdict.usage(spec, "--dir", e);
        }
    }

    private void run(int first, Consumer<Cut> journaled) throws Exception {
        Path data = directory();
        System.err.println("power: cuts " + first + " to " + cuts + " on " + fileSystem + ", disks in " + data);
        PowerRun run = new PowerRun(data, fileSystem, seed, lying);
        Thread hook = new Thread(() -> end(run));
        Runtime.getRuntime().addShutdownHook(hook);
        boolean holds;
        try (run) {
            holds = run.run(first, cuts, cut -> {
                journaled.accept(cut);
                System.err.println("cut " + cut.number() + " of " + cut.victims() + ": " + cut.acked()
                        + " acknowledged, all there after " + cut.readyMillis() + " + " + cut.settledMillis()
                        + " ms" + (cut.violations().isEmpty() ? "" : ": " + cut.violations()));
            });
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        if (holds && directory == null) {
            WorkDirectory.delete(data);
        }
    }

    private static void end(PowerRun run) {
        try {
            run.close();
        } catch (IOException e) {
            System.err.println("power: not everything could be ended: " + e);
        }
    }
}
