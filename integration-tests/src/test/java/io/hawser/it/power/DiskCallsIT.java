package io.hawser.it.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Figure;
import io.hawser.it.power.FaultPoints.Fault;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A few points of {@code integration-tests/lab power calls}. */
@Tag("full")
class DiskCallsIT {
    private static final int NUMBER = 6;
    /** Of a broker's start, which reads its identity, its log and its index. */
    private static final int READ = 4;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    void aCallThatKillsOrFailsLosesNothing() throws Exception {
        if (!Program.isThere("cc")) {
            Program.missing("a C compiler", "build-essential");
        }
        List<Point> points = new ArrayList<>();
        try (CallSweep sweep = new CallSweep(directory.toRealPath())) {
            for (Part part : Part.values()) {
                sweep.sweep(part, false, Fault.KILL, NUMBER, NUMBER, points::add);
            }
            sweep.sweep(Part.BROKER, false, Fault.EIO, 1, 1, points::add);
            sweep.sweep(Part.BROKER, true, Fault.READ, READ, READ, points::add);
        }
        System.out.print(PointSummary.of(points));
        Figure.sum("disk calls that killed or failed", Trial.count(points));
        assertThat(points).hasSize(Part.values().length + 2).allSatisfy(point -> {
            assertThat(point.violations()).isEmpty();
            assertThat(point.call()).isNotEqualTo("none");
        });
    }
}
