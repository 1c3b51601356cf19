package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTextTest {
    private static final long GIB = 1L << 30;

    private static SendProgress.FarEndLeg farEnd(String name, long bytes, boolean away) {
        return new SendProgress.FarEndLeg(name, new SendProgress.Leg(bytes, 999_900_000), 1, away);
    }

    private static SendProgress progress(List<SendProgress.FarEndLeg> farEnds, String because) {
        return new SendProgress(
                1023 * GIB,
                new SendProgress.Leg(1000 * GIB, 123_456_000_000L),
                1_000_000,
                999_999,
                farEnds,
                9_000L,
                false,
                because);
    }

    @Test
    void bothLegsAreThere() {
        List<String> lines =
                ProgressText.lines(progress(List.of(farEnd("site-b", 512 * GIB, false)), "limited by --rate"), 80);
        assertThat(lines)
                .containsExactly(
                        "broker       [###################-]  97%    1000 GiB of 1023 GiB  123456.0 MB/s",
                        "site-b       [##########----------]  50%     512 GiB of 1023 GiB  999.9 MB/s",
                        "999999 of 1000000 files  2:30:00 left, limited by --rate");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        List<SendProgress.FarEndLeg> many = IntStream.range(0, 9)
                .mapToObj(i -> farEnd("a-subscription-with-a-long-name-" + i, i * GIB, i == 0))
                .toList();
        String reason = "\u9375".repeat(100);
        for (int columns : List.of(80, 40, 20, 2)) {
            assertThat(ProgressText.lines(progress(many, reason), columns))
                    .as("%d columns", columns)
                    .allSatisfy(line -> assertThat(width(line)).isLessThan(columns));
        }
        assertThat(ProgressText.lines(progress(many, reason), 80))
                .as("the slowest are shown")
                .anyMatch(line -> line.startsWith("a-subscript~") && line.endsWith("away"))
                .anyMatch(line -> line.startsWith("and 5 far ends with more of it"));
    }

    private static int width(String line) {
        return line.codePoints().map(c -> c < 0x1100 ? 1 : 2).sum();
    }

    @Test
    void aReasonThatMovesTheCursorIsMadeHarmless() {
        assertThat(ProgressText.lines(progress(List.of(), "\u001b[2J"), 80).get(1))
                .contains("?[2J");
    }

    @ParameterizedTest
    @CsvSource({"0,0:00", "42,0:42", "3599,59:59", "3600,1:00:00", "172799,47:59:59", "172800,2 d"})
    void aTimeIsShownAsAClock(long seconds, String text) {
        assertThat(ProgressText.clock(seconds)).isEqualTo(text);
    }
}
