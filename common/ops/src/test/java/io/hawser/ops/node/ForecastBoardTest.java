package io.hawser.ops.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.why.Forecast;
import io.hawser.ops.observe.ForecastPage.ForecastLine;
import io.hawser.ops.observe.HealthWarning;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForecastBoardTest {
    private static final long MIB = 1 << 20;

    private final ForecastBoard board = new ForecastBoard(done -> {});
    private long now;

    private void fills(String resource, long freeBytes, long bytesPerSecond) {
        for (int i = 0; i < 24; i++) {
            now += Forecast.SAMPLE_MILLIS * 1_000_000;
            board.add(
                    List.of(
                            new ForecastBoard.Space(
                                    resource, 3100 * MIB, freeBytes - i * 5L * bytesPerSecond, "site-b is away"),
                            new ForecastBoard.Space("steady", 0, 1 << 30, "")),
                    now);
        }
    }

    @Test
    void theSentenceSaysWhenWhyAndHowMuch() {
        fills("spool", 2_515 * MIB, MIB);

        assertThat(board.latest())
                .containsExactly(new ForecastLine(
                        "spool",
                        "spool full in 40 min at 1 MiB/s, because site-b is away; holds 3.0 GiB",
                        2_400,
                        "site-b is away"));
        assertThat(board.warnings()).isEmpty();
    }

    @Test
    void whatIsNearIsAWarning() {
        fills("spool", 1_000 * MIB, MIB);
        assertThat(board.warnings()).extracting(HealthWarning::code).containsExactly("forecast");
        assertThat(board.warnings()).extracting(HealthWarning::subject).containsExactly("spool");
    }

    @Test
    void aResourceThatIsGoneIsForgotten() {
        fills("quota paris on *", 1_000 * MIB, MIB);
        board.add(List.of(), now + 1);
        assertThat(board.latest()).isEmpty();
    }
}
