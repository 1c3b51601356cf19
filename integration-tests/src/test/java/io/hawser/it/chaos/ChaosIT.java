package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.testkit.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What is done at each commit: every kind of fault, 30 kills of nodes, 1,000 objects; some two minutes. */
@Tag("full")
class ChaosIT {
    private static final long SEED = 4;
    private static final int PACE_MILLIS = 60;
    private static final int FAULT_PAUSE_MILLIS = 2500;
    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final Settings.Least LEAST = new Settings.Least(30, 1000, Duration.ofMinutes(4));

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
                RunCommand.possible(EnumSet.allOf(Fault.class), skipped),
                directory.resolve("nodes"),
                elsewhere.resolve("journal"),
                PACE_MILLIS,
                FAULT_PAUSE_MILLIS);
        try (ChaosRun run = new ChaosRun(settings, skipped)) {
            ChaosReport report = run.run();
            System.out.print(report.text());
            // First what went wrong, on the line that a summary of a build shows.
            assertThat(report.violations())
                    .withFailMessage(() -> report.violations() + "\n" + report.text())
                    .isEmpty();
            assertThat(report.kills()).isGreaterThanOrEqualTo(LEAST.kills());
            assertThat(report.objects()).isGreaterThanOrEqualTo(LEAST.objects());
        }
    }
}
