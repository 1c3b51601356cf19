package io.hawser.it.power;

import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.WorkDirectory;
import io.hawser.it.power.FaultPoints.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hawser-power calls}. */
@Command(
        name = "calls",
        mixinStandardHelpOptions = true,
        description =
                "Lets each disk call of a small transfer, and of a node's start, kill the node or fail, one after the other. Needs a C"
                        + " compiler. Goes on where an earlier run of the same commit ended.")
final class CallsCommand implements Callable<Integer> {
    @Option(names = "--nodes", split = ",", description = "some of agent-a, broker, agent-b (default: all)")
    private List<String> nodes = Arrays.stream(Part.values()).map(Part::command).toList();

    @Option(names = "--phases", split = ",", description = "some of transfer, start (default: both)")
    private List<String> phases = List.of("transfer", "start");

    @Option(
            names = "--faults",
            split = ",",
            description = "some of kill, eio, eio-sticky, enospc, enospc-sticky, short, short-sticky (default: all)")
    private List<String> faults = Arrays.stream(Fault.values()).map(Fault::word).toList();

    @Option(names = "--last", description = "the last N (default: until there are no more)")
    private int last = Integer.MAX_VALUE;

    @Option(
            names = "--journal",
            description = "a line of JSON for each point is added to it (default: ${DEFAULT-VALUE})")
    private Path journal = Path.of("disk-calls.jsonl");

    @Option(
            names = "--dir",
            description = "a new directory for data and logs, kept (default: one in /dev/shm, kept if not all holds)")
    private @Nullable Path directory;

    @Option(names = "--summary", description = "only says what the journal adds up to")
    private boolean summaryOnly;

    @Override
    public Integer call() throws Exception {
        PointJournal all = new PointJournal(journal);
        boolean holds = summaryOnly || run(all);
        System.out.print(PointJournal.summary(all.points()));
        return holds ? 0 : 1;
    }

    private boolean run(PointJournal all) throws Exception {
        Path memory = Path.of("/dev/shm");
        Path data = directory != null
                ? Files.createDirectories(directory).toRealPath()
                : Files.createTempDirectory(
                                Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir")),
                                "hawser-calls")
                        .toRealPath();
        System.err.println("power: disk calls, data in " + data);
        boolean holds = true;
        CallSweep sweep = new CallSweep(data);
        Thread hook = new Thread(sweep::close);
        Runtime.getRuntime().addShutdownHook(hook);
        try (sweep) {
            for (String phase : phases) {
                for (Part part : Part.values()) {
                    for (Fault fault : Fault.values()) {
                        if (nodes.contains(part.command()) && faults.contains(fault.word())) {
                            holds &= sweep(sweep, all, part, phase, fault);
                        }
                    }
                }
            }
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        if (holds && directory == null) {
            WorkDirectory.delete(data);
        }
        return holds;
    }

    private boolean sweep(CallSweep sweep, PointJournal all, Part part, String phase, Fault fault) throws Exception {
        int first = all.next(System.getProperty("hawser.commit", "unknown"), part.command(), phase, fault.word());
        return first == 0
                || sweep.sweep(part, phase.equals("start"), fault, first, last, point -> {
                    all.add(point);
                    System.err.println(part.command() + " " + phase + " " + fault.word() + " " + point.number() + ": "
                            + point.call() + " " + point.file() + ", exit " + point.exit() + ", acknowledged "
                            + point.acked() + " of " + point.attempts()
                            + (point.violations().isEmpty() ? "" : ": " + point.violations()));
                });
    }
}
