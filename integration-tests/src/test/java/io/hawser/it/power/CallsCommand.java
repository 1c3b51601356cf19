package io.hawser.it.power;

import io.hawser.it.harness.CloseAtExit;
import io.hawser.it.ledger.Verdict;
import io.hawser.it.power.FaultPoints.Fault;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code integration-tests/lab power calls}. */
@Command(
        name = "calls",
        mixinStandardHelpOptions = true,
        description =
                "Lets each disk call of a small transfer, and of a node's start, kill the node or fail, one after the other. Needs a C"
                        + " compiler. Continues where an earlier run of the same commit ended. Exit code 0: nothing of this commit in the"
                        + " journal was violated; 1: something was; 2: usage, nothing was begun; 3: void, nothing was made to kill or fail.")
final class CallsCommand extends TrialCommand<Point> {
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

    CallsCommand() {
        super(Point.class, "disk-calls.jsonl", "hawser-calls");
    }

    /** Calls of one node in one phase, with one fault. */
    private record Sweep(Part node, String phase, Fault fault) {
        boolean has(Point point) {
            return point.node().equals(node.command())
                    && point.phase().equals(phase)
                    && point.fault().equals(fault.word());
        }

        @Override
        public String toString() {
            return node.command() + " " + phase + " " + fault.word();
        }
    }

    private List<Sweep> sweeps() {
        return phases.stream()
                .flatMap(phase -> Arrays.stream(Part.values())
                        .filter(part -> nodes.contains(part.command()))
                        .flatMap(part -> Arrays.stream(Fault.values())
                                .filter(fault -> faults.contains(fault.word()))
                                .map(fault -> new Sweep(part, phase, fault))))
                .toList();
    }

    @Override
    void checkOptions() {
        Verdict.requireKnown(spec, "--nodes", nodes, NODES);
        Verdict.requireKnown(spec, "--phases", phases, PHASES);
        Verdict.requireKnown(spec, "--faults", faults, FAULTS);
        if (last < 1) {
            throw Verdict.usage(spec, "--last is 1 or more");
        }
    }

    @Override
    String summary(List<Point> trials) {
        return PointSummary.of(trials);
    }

    /** Void if any sweep has no call that killed or failed. */
    @Override
    int count(List<Point> ofCommit) {
        List<Sweep> empty = sweeps().stream()
                .filter(sweep -> ofCommit.stream().noneMatch(point -> point.counts() && sweep.has(point)))
                .toList();
        empty.forEach(sweep -> System.out.println("void: no call was made to kill or fail: " + sweep));
        return empty.isEmpty() ? Trial.count(ofCommit) : 0;
    }

    @Override
    void runMissing(List<Point> before, Consumer<Point> each) throws Exception {
        Path data = makeData();
        System.err.println("power: disk calls, data in " + data);
        CallSweep calls = new CallSweep(data);
        if (CloseAtExit.run(calls, () -> runMissing(calls, Trial.of(COMMIT, before), each))) {
            deleteData(data);
        }
    }

    /** Returns whether nothing was violated. */
    private boolean runMissing(CallSweep calls, List<Point> ofCommit, Consumer<Point> each) throws Exception {
        for (Sweep sweep : sweeps()) {
            List<Point> done = ofCommit.stream().filter(sweep::has).toList();
            int first = 1 + done.stream().mapToInt(Point::number).max().orElse(0);
            if (done.stream().allMatch(Point::counts) && !run(calls, sweep, first, each)) {
                return false;
            }
        }
        return true;
    }

    private boolean run(CallSweep calls, Sweep sweep, int first, Consumer<Point> each) throws Exception {
        return calls.sweep(sweep.node, sweep.phase.equals("start"), sweep.fault, first, last, point -> {
            each.accept(point);
            System.err.println(sweep + " " + point.number() + ": " + point.call() + " " + point.file() + ", exit "
                    + point.exit() + ", acknowledged " + point.acked() + " of " + point.attempts()
                    + (point.violations().isEmpty() ? "" : ": " + point.violations()));
        });
    }
}
