package io.hawser.it.power;

import io.hawser.it.harness.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hawser-power cuts}. */
@Command(
        name = "cuts",
        mixinStandardHelpOptions = true,
        description =
                "Cuts the power of the nodes' disks (loop devices; for root) under uploads by FTP and the Java API. Goes on where an"
                        + " earlier run of the same commit, file system and seed ended.")
final class CutsCommand implements Callable<Integer> {
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

    @Override
    public Integer call() throws Exception {
        CutJournal all = new CutJournal(journal);
        if (summaryOnly) {
            System.out.print(CutJournal.summary(all.cuts()));
            return 0;
        }
        if (!List.of("ext4", "xfs").contains(fileSystem)) {
            System.err.println("hawser-power: --fs is ext4 or xfs");
            return 2;
        }
        if (lying) {
            boolean found = !run(all, 1);
            System.out.println(found ? "found out" : "NOT found out: the cuts show nothing");
            return found ? 0 : 1;
        }
        int first = 1 + all.last(System.getProperty("hawser.commit", "unknown"), fileSystem, seed);
        boolean holds = first > cuts || run(all, first);
        System.out.print(CutJournal.summary(all.cuts()));
        return holds ? 0 : 1;
    }

    private boolean run(CutJournal all, int first) throws Exception {
        Path memory = Path.of("/dev/shm");
        Path data = directory != null
                ? Files.createDirectories(directory)
                : Files.createTempDirectory(
                        Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir")),
                        "hawser-power");
        System.err.println("power: cuts " + first + " to " + cuts + " on " + fileSystem + ", disks in " + data);
        PowerRun run = new PowerRun(data, fileSystem, seed, lying);
        Thread hook = new Thread(() -> end(run));
        Runtime.getRuntime().addShutdownHook(hook);
        boolean holds;
        try (run) {
            holds = run.run(first, cuts, cut -> {
                if (!lying) {
                    all.add(cut);
                }
                System.err.println("cut " + cut.number() + " of " + cut.victims() + ": " + cut.acked()
                        + " acknowledged, all there after " + cut.readyMillis() + " + " + cut.settledMillis()
                        + " ms" + (cut.violations().isEmpty() ? "" : ": " + cut.violations()));
            });
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        if (holds && directory == null) {
            WorkDirectory.delete(data);
        }
        return holds;
    }

    private static void end(PowerRun run) {
        try {
            run.close();
        } catch (IOException e) {
            System.err.println("power: not everything could be ended: " + e);
        }
    }
}
