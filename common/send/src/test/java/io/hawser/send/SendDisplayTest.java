package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SendDisplayTest {
    private static final long MIB = 1 << 20;
    private static final String ESCAPE = "\u001b[";

    private final StringWriter err = new StringWriter();

    private static SendProgress progress(long brokered, @Nullable Long secondsLeft, String because) {
        return new SendProgress(
                10 * MIB, new SendProgress.Leg(brokered, 3_000_000), 3, 1, List.of(), secondsLeft, false, because);
    }

    private static SendProgress waiting(String problem) {
        return new SendProgress(
                10 * MIB, new SendProgress.Leg(0, 0), 3, 1, List.of(), null, !problem.isEmpty(), problem);
    }

    private PlainDisplay plain(long intervalNanos) {
        return new PlainDisplay(new PrintWriter(err), intervalNanos);
    }

    @Test
    void plainLinesSayWhatIsDurable() {
        plain(0).show(progress(5 * MIB, 2L, ""));
        assertThat(err.toString().strip())
                .isEqualTo("5 MiB of 10 MiB durable at the broker, 1 of 3 files, 3.0 MB/s  0:02 left");
    }

    @Test
    void whyNothingMovesIsSaidWhenItChanges() {
        PlainDisplay display = plain(TimeUnit.HOURS.toNanos(1));
        for (String problem : List.of("", "no session", "no session", "a: NO_SPACE: full", "", "")) {
            display.show(waiting(problem));
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "hawser: waiting: no session", "hawser: waiting: a: NO_SPACE: full", "hawser: resumed");
    }

    @Test
    void aLimitIsNoReasonToWait() {
        plain(TimeUnit.HOURS.toNanos(1)).show(progress(MIB, null, "limited by --rate"));
        assertThat(err.toString()).isEmpty();
        plain(0).show(progress(MIB, null, "limited by --rate"));
        assertThat(err.toString()).contains("MB/s  limited by --rate").doesNotContain("waiting");
    }

    @Test
    void aReasonCountsWhenItHasLasted() {
        ReasonDebouncer reason = new ReasonDebouncer();
        long later = ReasonDebouncer.LASTING_NANOS;
        assertThat(reason.of("a", 5)).isEmpty();
        assertThat(reason.of("a", 4 + later)).isEmpty();
        assertThat(reason.of("a", 5 + later)).isEqualTo("a");
        assertThat(reason.of("b", 6 + later)).isEmpty();
        assertThat(reason.of("b", 6 + 2 * later)).isEqualTo("b");
        assertThat(reason.of("", 7 + 2 * later)).isEmpty();
    }

    @Test
    void plainLinesAreFew() {
        PlainDisplay display = plain(TimeUnit.HOURS.toNanos(1));
        for (int i = 0; i < 100; i++) {
            display.show(progress(i, null, ""));
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aTerminalIsWrittenOverAndLeftClean() {
        TerminalDisplay display = new TerminalDisplay(new PrintWriter(err), () -> 80, 0);
        display.show(progress(MIB, 9L, ""));
        display.show(progress(2 * MIB, 8L, ""));
        assertThat(err.toString()).as("two lines, then back over them").contains("\r" + ESCAPE + "2Abroker");
        display.close();
        assertThat(err.toString()).endsWith("\r" + ESCAPE + "2A" + ESCAPE + "J");
    }
}
