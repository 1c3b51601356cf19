package io.hawser.it.chaos;

import io.hawser.common.observe.Json;
import io.hawser.it.harness.WorkDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code ./hawser-chaos} starts. Exit code 0 only if all holds. */
@Command(
        name = "hawser-chaos",
        mixinStandardHelpOptions = true,
        description =
                "Starts a broker, an agent-a and two agent-b, lets publishers work while faults happen, and compares what was"
                        + " acknowledged with what arrived.")
final class ChaosMain implements Callable<Integer> {
    @Option(names = "--minutes", required = true, description = "how long faults happen; fractions are allowed")
    private double minutes;

    @Option(names = "--seed", description = "what decides the faults and the work (default: the clock)")
    private long seed = System.currentTimeMillis() % 1_000_000;

    @Option(
            names = "--faults",
            split = ",",
            description = "some of kill, stop, index, cut, blackhole, reset, throttle, client (default: all)")
    private String[] faults = {};

    @Option(
            names = "--dir",
            description = "a new directory for the nodes' data, kept (default: a temporary one, kept if not all holds)")
    private @Nullable Path directory;

    @Option(
            names = "--journal",
            description = "a new file for the publishers' journal, best on another file system (default: in /dev/shm)")
    private @Nullable Path journal;

    @Option(
            names = "--pace",
            description = "mean pause between two objects of one publisher, in ms (default: ${DEFAULT-VALUE})")
    private int pace = 150;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ChaosMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        boolean keep = directory != null;
        Path data = directory == null ? Files.createTempDirectory("hawser-chaos") : Files.createDirectories(directory);
        Path memory = Path.of("/dev/shm");
        Path file = journal != null
                ? journal
                : Files.createTempFile(
                        Files.isDirectory(memory) ? memory : data.getParent(), "hawser-chaos", ".journal");
        Settings settings =
                new Settings(Duration.ofMillis((long) (minutes * 60_000)), seed, chosen(), data, file, pace);
        System.err.println("chaos: seed " + seed + ", data in " + data + ", journal in " + file);
        ChaosReport report;
        ChaosRun run = new ChaosRun(settings);
        Thread hook = new Thread(() -> end(run));
        Runtime.getRuntime().addShutdownHook(hook);
        try (run) {
            report = run.run();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        System.out.print(report.text());
        System.out.println(Json.line(report));
        if (report.holds() && !keep) {
            WorkDirectory.delete(data);
            Files.deleteIfExists(file);
        }
        return report.holds() ? 0 : 1;
    }

    private static void end(ChaosRun run) {
        try {
            run.close();
        } catch (Exception e) {
            System.err.println("chaos: not everything could be ended: " + e);
        }
    }

    private Set<Fault> chosen() {
        return faults.length == 0
                ? EnumSet.allOf(Fault.class)
                : Arrays.stream(faults)
                        .map(Fault::of)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Fault.class)));
    }
}
