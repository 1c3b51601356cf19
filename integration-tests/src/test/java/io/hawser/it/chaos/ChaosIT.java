package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.testkit.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Some seconds of {@code ./hawser-chaos}, every kind of fault. */
@Tag("full")
class ChaosIT {
    private static final long SEED = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path elsewhere;

    @Test
    void whatWasAcknowledgedArrivesOnceAndWhole() throws Exception {
        Program.needs("curl");
        Settings settings = new Settings(
                Duration.ofSeconds(12),
                SEED,
                EnumSet.allOf(Fault.class),
                directory.resolve("nodes"),
                elsewhere.resolve("journal"),
                100);
        try (ChaosRun run = new ChaosRun(settings)) {
            ChaosReport report = run.run();
            System.out.print(report.text());
            assertThat(report.violations()).as(report.text()).isEmpty();
            assertThat(report.objects()).isPositive();
        }
    }
}
