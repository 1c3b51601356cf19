package io.hawser.it.power;

import io.hawser.it.power.FaultPoints.Fault;
import io.hawser.release.process.Chain.Part;
import io.hawser.release.process.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code integration-tests/lab power calls}. */
@Command(
        name = "calls",
        mixinStandardHelpOptions = true,
        description =
                "Lets each disk call of a small transfer, and of a node's start, kill the node or fail, one after the other. Needs a C"
                        + " compiler. Goes on where an earlier run of the same commit ended. Exit code 0: nothing of this commit in the journal"
                        + " was violated; 1: something was; 2: usage, nothing was begun; 3: void, nothing was made to kill or fail.")
final class CallsCommand implements Callable<Integer> {
    private static final String COMMIT = System.getProperty("hawser.commit", "unknown");
    private static final List<String> NODES =
            Arrays.stream(Part.values()).map(Part::command).toList();
    private static final List<String> PHASES = List.of("transfer", "start");
    private static final List<String> FAULTS =
            Arrays.stream(Fault.values()).map(Fault::word).toList();

    @Option(names = "--nodes", split = ",", description = "some of agent-a, broker, agent-b (default: all)")
    private List<String> nodes = NODES;

    @Option(names = "--phases", split = ",", description = "some of transfer, start (default: both)")
    private List<String> phases = PHASES;

    @Option(
            names = "--faults",
            split = ",",
            description =
                    "some of kill, eio, eio-sticky, enospc, enospc-sticky, short, short-sticky, read, read-sticky (default: all)")
    private List<String> faults = FAULTS;

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

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        checkWords();
        PointJournal all = new PointJournal(journal);
        List<Point> before = points(all);
        if (summaryOnly) {
            System.out.print(PointJournal.summary(before));
            return Verdict.of(PointJournal.hits(ofCommit(before)), PointJournal.violations(ofCommit(before)));
        }
        run(all, directory());
        System.out.print(PointJournal.summary(all.points()));
        List<Point> points = ofCommit(all.points());
        List<String> empty = emptySweeps(points);
        empty.forEach(sweep -> System.out.println("void: no call was made to kill or fail: " + sweep));
        return Verdict.of(empty.isEmpty() ? PointJournal.hits(points) : 0, PointJournal.violations(points));
    }

    private void checkWords() {
        Verdict.requireKnown(spec, "--nodes", nodes, NODES);
        Verdict.requireKnown(spec, "--phases", phases, PHASES);
        Verdict.requireKnown(spec, "--faults", faults, FAULTS);
        if (last < 1) {
            throw Verdict.usage(spec, "--last is 1 or more");
        }
    }

    /** What the journal has; before a run also whether it takes more. */
    private List<Point> points(PointJournal all) {
        try {
            if (!summaryOnly) {
                all.checkWritable();
            }
            return all.points();
        } catch (IOException e) {
            throw Verdict.usage(spec, "--journal", e);
        }
    }

    private static List<Point> ofCommit(List<Point> points) {
        return points.stream().filter(point -> point.commit().equals(COMMIT)).toList();
    }

    private List<String> emptySweeps(List<Point> points) {
        List<String> empty = new ArrayList<>();
        for (String phase : phases) {
            for (String node : nodes) {
                for (String fault : faults) {
                    if (PointJournal.hits(points, node, phase, fault) == 0) {
                        empty.add(node + " " + phase + " " + fault);
                    }
                }
            }
        }
        return empty;
    }

    private Path directory() {
        Path memory = Path.of("/dev/shm");
        Path usual = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        try {
            Path made = directory == null
                    ? Files.createTempDirectory(usual, "hawser-calls")
                    : Files.createDirectories(directory);
            return made.toRealPath();
        } catch (IOException e) {
            throw Verdict.usage(spec, "--dir", e);
        }
    }

    /** Until all is done or something is violated: what comes later would be blamed for it too. */
    private void run(PointJournal all, Path data) throws Exception {
        System.err.println("power: disk calls, data in " + data);
        boolean holds = true;
        CallSweep sweep = new CallSweep(data);
        Thread hook = new Thread(sweep::close);
        Runtime.getRuntime().addShutdownHook(hook);
        try (sweep) {
            for (String phase : phases) {
                for (Part part : Part.values()) {
                    for (Fault fault : Fault.values()) {
                        if (holds && nodes.contains(part.command()) && faults.contains(fault.word())) {
                            holds = sweep(sweep, all, part, phase, fault);
                        }
                    }
                }
            }
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        if (holds && directory == null) {
            WorkDirectory.delete(data);
        }
    }

    private boolean sweep(CallSweep sweep, PointJournal all, Part part, String phase, Fault fault) throws Exception {
        int first = all.next(COMMIT, part.command(), phase, fault.word());
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
