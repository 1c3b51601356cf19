package io.hawser.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What {@code integration-tests/lab sim} ends with where nothing goes wrong. */
class SimCommandsTest {
    private static int sim(String arguments) {
        return SimMain.commandLine().setErr(new PrintWriter(new StringWriter())).execute(arguments.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --schedules 0",
                "run --minutes -1",
                "run --from -1",
                "run --kind EVERY_STEP --schedules 1",
                "run --kind NONE",
                "exhaustive --stride 0"
            })
    void whatMakesNoSenseIsRefused(String arguments) {
        assertThat(sim(arguments)).isEqualTo(CommandLine.ExitCode.USAGE);
    }

    @Test
    void aKindThatWasNotComeToShowsNothing() {
        assertThat(sim("run --schedules 150 --kind REMOVALS --from 7")).isZero();
        assertThat(sim("run --minutes 0.000001 --kind REMOVALS,STOPS --from 7")).isEqualTo(SimMain.VOID);
        assertThat(sim("planted --bug NONE")).isEqualTo(SimMain.VOID);
    }

    @Test
    void whatTookNoTimeHasNoRate() {
        assertThat(new Simulator(1).report()).contains(": - schedules/min").doesNotContain("NaN");
    }
}
