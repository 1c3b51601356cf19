package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Figure;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ptcp.testkit.TestTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What is done at each commit: every kind of fault, 30 kills of nodes, 1,000 objects; two minutes of faults. */
@Tag("full")
class ChaosIT {
    private static final long SEED = 4;
    private static final int PACE_MILLIS = 60;
    private static final int FAULT_PAUSE_MILLIS = 2500;
    private static final Duration LENGTH = Duration.ofMinutes(2);
    private static final Settings.Least LEAST = new Settings.Least(30, 1000, TestTimes.scaled(Duration.ofMinutes(2)));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path elsewhere;

    @Test
    void whatWasAcknowledgedArrivesOnceAndWhole() throws Exception {
        Program.needs("curl");
        Map<String, String> skipped = new TreeMap<>();
        Settings settings = new Settings(
                LENGTH,
                LEAST,
                SEED,
                RunCommand.possible(Settings.Store.LOCAL, EnumSet.allOf(Fault.class), skipped),
                directory.resolve("nodes"),
                elsewhere.resolve("ledger"),
                PACE_MILLIS,
                FAULT_PAUSE_MILLIS,
                String.valueOf(AgentFlags.STREAMS.defaultText()),
                Settings.Store.LOCAL);
        try (ChaosRun run = new ChaosRun(settings, skipped)) {
            ChaosReport report = run.run();
            System.out.print(report.text());
            tell(report);
            // First what went wrong, on the line that a summary of a build shows.
            assertThat(report.violations())
                    .withFailMessage(() -> report.violations() + "\n" + report.text())
                    .isEmpty();
            assertThat(report.kills()).isGreaterThanOrEqualTo(LEAST.kills());
            assertThat(report.count(ChaosReport.Count.OBJECTS)).isGreaterThanOrEqualTo(LEAST.objects());
        }
    }

    private static void tell(ChaosReport report) {
        Figure.sum("chaos, seconds", report.count(ChaosReport.Count.SECONDS));
        Figure.sum("kill -9 of nodes", report.kills());
        Figure.sum("objects acknowledged under faults", report.count(ChaosReport.Count.OBJECTS));
        Figure.sum("of these lost", report.violated("lost"));
        Figure.sum("of these duplicated", report.violated("duplicated"));
        Figure.sum("of these corrupt", report.violated("corrupt"));
        for (ResendMeter.Hop hop : report.resent().values()) {
            long bound = Math.max(1, hop.creditBytes() * hop.faults());
            Figure.most("sent again on a hop, percent of its bound", 100 * hop.resentBytes() / bound);
        }
        for (Durations.Figures ready : report.readyMillis().values()) {
            Figure.most("ready after kill -9, slowest node's median, ms", ready.median());
            Figure.most("ready after kill -9, longest, ms", ready.max());
        }
    }
}
