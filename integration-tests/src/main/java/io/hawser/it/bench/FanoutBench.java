package io.hawser.it.bench;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.NodeCommands;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.PacedUpload;
import io.hawser.release.process.PatternStream;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One file by FTP to several far ends, each with a process and a copy of its own, from the first byte until the broker has the receipt
 * <i>delivered</i> of all; and how many bytes of it agent-a has sent to the broker. The first run is cold.
 */
final class FanoutBench implements Bench {
    private static final int MOST_ENDS = 64;
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long POLL_MILLIS = 50;
    private static final long UNPACED = 1L << 50;

    private final Path directory;
    private final List<Integer> numbers;
    private final long sizeBytes;
    private final int runs;
    private final List<NodeProcess> far = new ArrayList<>();
    private Optional<ProcessChain> chain = Optional.empty();
    private boolean ended;

    /** @param numbers of far ends, one after the other */
    FanoutBench(Path directory, List<Integer> numbers, long sizeBytes, int runs) {
        this.directory = directory;
        this.numbers = numbers;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
    }

    /** How many copies of a file there are at most: at agent-a, at the broker, and at the far ends. */
    static int copies(List<Integer> numbers) {
        return 2 + Collections.max(numbers);
    }

    /** Numbers of far ends, from a text such as {@code 1,4,16}. @throws IllegalArgumentException with what is wrong */
    static List<Integer> numbers(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            int number = word.matches("[0-9]{1,3}") ? Integer.parseInt(word) : 0;
            if (number < 1 || number > MOST_ENDS) {
                throw new IllegalArgumentException("'" + word + "' is no number of far ends; give numbers from 1 to "
                        + MOST_ENDS + ", such as 1,4,16");
            }
            numbers.add(number);
        }
        return numbers;
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        boolean equal = true;
        for (int ends : numbers) {
            equal &= measure(report, ends);
        }
        return report.noteEqual(equal);
    }

    private boolean measure(BenchReport report, int ends) throws IOException, InterruptedException {
        Path place = directory.resolve("ends-" + ends);
        ProcessChain nodes = begin(place);
        double limit = DiskBaseline.bytesPerSecond(place, copies(List.of(ends)), sizeBytes, false);
        List<Run> results = new ArrayList<>();
        try {
            nodes.start(Part.BROKER);
            nodes.start(Part.AGENT_A);
            for (int i = 1; i <= ends; i++) {
                startEnd(nodes, place, i);
            }
            for (int run = 0; run <= runs; run++) {
                results.add(once(report, nodes, place, ends, run));
            }
        } finally {
            endNodes();
        }
        figure(report, ends, "cold", results.subList(0, 1), limit);
        figure(report, ends, "warm", results.subList(1, results.size()), limit);
        return results.stream().allMatch(Run::equal);
    }

    private void figure(BenchReport report, int ends, String which, List<Run> some, double diskBytesPerSecond) {
        Map<String, String> of = Map.of("run", ends + " ends, " + which + ": to each");
        Measurement toEach = Measurement.of(of, "MB/s", some, run -> sizeBytes / 1e6 / run.seconds())
                .limited(diskBytesPerSecond / 1e6, "as many concurrent forced writers as there are copies, each");
        report.add(toEach.also("MB/s in all", ends * toEach.spread().median())
                .also("sent to the broker, x the file", some.get(0).sentBytes() / (double) sizeBytes));
    }

    private synchronized ProcessChain begin(Path place) throws IOException {
        ProcessChain nodes = new ProcessChain(place).withJvmOptions(Part.BROKER, NodeProcess.BROKER_OPTIONS);
        chain = Optional.of(nodes);
        return nodes;
    }

    /** Returns when it has subscribed: what is sent before would not be for it. */
    private void startEnd(ProcessChain nodes, Path place, int number) throws IOException, InterruptedException {
        Path log = place.resolve("b" + number + ".log");
        String into = Files.createDirectories(target(place, number)).toString();
        add(NodeProcess.start(
                log,
                NodeCommands.agentB(nodes.brokerPtcp().toString(), place.resolve("b" + number), into, "b" + number)));
        long began = System.nanoTime();
        while (!Files.readString(log).contains("subscribed")) {
            if (System.nanoTime() - began > LIMIT.toNanos()) {
                throw new IllegalStateException(
                        "b" + number + " has not subscribed within " + LIMIT.toMinutes() + " minutes");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private synchronized void add(NodeProcess node) {
        far.add(node);
        if (ended) {
            endNodes();
        }
    }

    private static Path target(Path place, int number) {
        return place.resolve("delivered-" + number);
    }

    /** What one file took, and whether every copy has the right bytes. */
    private record Run(double seconds, long sentBytes, boolean equal) {}

    private Run once(BenchReport report, ProcessChain nodes, Path place, int ends, int run)
            throws IOException, InterruptedException {
        String name = "bench-" + run;
        long began = System.nanoTime();
        PacedUpload upload = PacedUpload.start(nodes.ftp(), name, new PatternStream(sizeBytes, run), UNPACED);
        nodes.awaitDelivered(name, LIMIT);
        double seconds = (System.nanoTime() - began) / 1e9;
        upload.reply().join();
        report.say("%2d ends  %-7s %6.2f s", ends, run == 0 ? "cold" : "warm " + run, seconds);
        boolean equal = true;
        for (int i = 1; i <= ends; i++) {
            Path copy = target(place, i).resolve(name);
            equal &= PatternStream.matches(copy, sizeBytes, run);
            Files.delete(copy);
        }
        long sentBytes = nodes.status(Part.AGENT_A, name)
                .flatMap(status -> status.hop(HopStatus.PUBLISHER_TO_BROKER))
                .map(hop -> hop.bytes().sentBytes())
                .orElse(0L);
        return new Run(seconds, sentBytes, equal);
    }

    @Override
    public synchronized void end() {
        ended = true;
        endNodes();
    }

    private synchronized void endNodes() {
        far.forEach(NodeProcess::kill);
        far.clear();
        chain.ifPresent(ProcessChain::end);
    }
}
