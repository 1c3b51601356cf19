package io.hawser.release.drill;

import io.hawser.ops.cli.ProgressLine;
import io.hawser.ops.observe.Json;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.WorkDirectory;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code integration-tests/lab soak} starts. Exit code 0 only if all holds and is flat. */
@Command(
        name = "integration-tests/lab soak",
        mixinStandardHelpOptions = true,
        description =
                "A drill of a chain of its own with a fault a minute, which also looks every ten seconds whether the nodes' heap after a"
                        + " collection, handles, threads, memory and files grow.")
final class SoakMain implements Callable<Integer> {
    private static final long BASE_BYTES = 2L << 30;
    private static final Duration PATIENCE = TestTimes.scaled(Duration.ofMinutes(2));

    @Option(names = "--minutes", required = true, description = "how long; less than 10 prove little")
    private int minutes;

    @Option(names = "--seed", description = "decides the order of faults, and the canaries (default: the clock)")
    private long seed = System.currentTimeMillis() % 1_000_000;

    @Option(names = "--kill", description = "whom to kill (default: ${DEFAULT-VALUE})")
    private String kill = "agent-b";

    @Option(
            names = "--pause",
            description = "whom to stop and let go on: they live as long as the run (default: ${DEFAULT-VALUE})")
    private String pause = "agent-a,broker";

    @Option(names = "--every", description = "seconds from one fault to the next (default: ${DEFAULT-VALUE})")
    private int everySeconds = 60;

    @Option(names = "--gap", description = "ms between two canaries of one sender (default: ${DEFAULT-VALUE})")
    private int gapMillis = 150;

    @Option(names = "--dir", description = "where the data goes (default: a new temporary directory)")
    private @Nullable Path directory;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SoakMain()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        Path data = WorkDirectory.prepare(Optional.ofNullable(directory), "hawser-soak-", BASE_BYTES);
        DrillSettings settings = new DrillSettings(
                new FaultSettings(
                        NodeFlags.nodes("--kill", kill),
                        NodeFlags.nodes("--pause", pause),
                        0,
                        Duration.ofSeconds(everySeconds),
                        Duration.ofSeconds(2)),
                new CanarySettings(1, 4 << 20, Duration.ofMillis(gapMillis)),
                Optional.of(Duration.ofMinutes(minutes)),
                seed,
                PATIENCE,
                false);
        DrillReport report;
        SoakSampler sampler;
        try (OwnDeployment deployment = new OwnDeployment(data, false)) {
            Runtime.getRuntime().addShutdownHook(new Thread(deployment::close, "soak-end"));
            CanaryGenerator names =
                    new CanaryGenerator(seed, settings.canaries().largestBytes());
            DrillText.head(deployment.description(), settings, names.prefix()).forEach(out::println);
            deployment.start();
            sampler = new SoakSampler(deployment.chain());
            sampler.start();
            ProgressLine silent = new ProgressLine(new PrintWriter(System.err, true, StandardCharsets.UTF_8), false);
            report = new Drill(settings, deployment, names, data.resolve("api"), new StopSignal(), out::println, silent)
                    .run();
            sampler.stop();
        }
        DrillText.summary(report).forEach(out::println);
        sampler.lines().forEach(out::println);
        boolean holds = report.verdict() == DrillReport.Verdict.HELD && sampler.holds();
        out.println(holds ? "all holds, and is flat" : "NOT all holds and is flat");
        out.println("commit " + System.getProperty("hawser.commit", "unknown") + " " + Json.line(report));
        if (holds) {
            WorkDirectory.delete(data);
        }
        return holds ? 0 : 1;
    }
}
