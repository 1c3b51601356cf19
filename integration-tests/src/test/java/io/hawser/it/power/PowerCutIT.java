package io.hawser.it.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Figure;
import io.hawser.it.harness.LoopDisk;
import io.hawser.it.ledger.Violations;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten cuts of {@code integration-tests/lab power cuts}, five on each file system. */
@Tag("full")
class PowerCutIT {
    private static final long SEED = 7;
    private static final int CUTS = 5;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs"})
    void whatWasAcknowledgedOutlivesThePower(String fileSystem) throws Exception {
        if (!Program.isThere("xfs_io")) {
            Program.missing("xfs_io", "xfsprogs");
        }
        LoopDisk.mount(directory.resolve("try.img"), directory.resolve("try"), fileSystem, 512L << 20)
                .close();
        List<Cut> cuts = new ArrayList<>();
        try (PowerRun run = new PowerRun(directory, fileSystem, SEED, false)) {
            run.run(1, CUTS, cuts::add);
        }
        System.out.print(CutSummary.of(cuts));
        List<String> violations = Trial.violations(cuts);
        Figure.sum("power cuts", cuts.size());
        Figure.sum(
                "objects acknowledged under faults",
                cuts.stream().mapToInt(Cut::acked).sum());
        Figure.sum("of these lost", Violations.count(violations, "lost"));
        Figure.sum("of these duplicated", Violations.count(violations, "duplicated"));
        Figure.sum("of these corrupt", Violations.count(violations, "corrupt"));
        assertThat(cuts).allSatisfy(cut -> {
            assertThat(cut.violations()).isEmpty();
            assertThat(cut.canariesLost())
                    .as("files that nobody forced, lost at cut %d", cut.number())
                    .isEqualTo(cut.canaries())
                    .isPositive();
            assertThat(cut.controls().hold()).as("%s", cut.controls()).isTrue();
        });
        assertThat(cuts).hasSize(CUTS);
        assertThat(cuts.stream().mapToInt(Cut::acked).sum()).isPositive();
    }
}
