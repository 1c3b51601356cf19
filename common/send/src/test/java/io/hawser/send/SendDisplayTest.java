package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SendDisplayTest {
    private static final long MIB = 1 << 20;

    private final StringWriter err = new StringWriter();

    private SendDisplay plain(long intervalNanos) {
        return new SendDisplay(10 * MIB, false, new PrintWriter(err), intervalNanos);
    }

    @Test
    void plainLinesSayWhatIsDurable() {
        try (SendDisplay display = plain(0)) {
            display.show(0, 0, 3, "");
            display.show(5 * MIB, 1, 3, "");
        }
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isEqualTo("0 B of 10 MiB durable at the broker, 0 of 3 transfers, 0.0 MB/s"),
                        second -> assertThat(second)
                                .matches("5 MiB of 10 MiB durable at the broker, 1 of 3 transfers, [0-9.]+ MB/s"));
    }

    @Test
    void whyNothingMovesIsSaidWhenItChanges() {
        try (SendDisplay display = plain(TimeUnit.HOURS.toNanos(1))) {
            for (String problem : List.of("", "no session", "no session", "a: NO_SPACE: full", "", "")) {
                display.show(0, 0, 3, problem);
            }
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "hawser: waiting: no session", "hawser: waiting: a: NO_SPACE: full", "hawser: resumed");
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
        try (SendDisplay display = plain(TimeUnit.HOURS.toNanos(1))) {
            for (int i = 0; i < 100; i++) {
                display.show(i, 0, 1, "");
            }
        }
        assertThat(err.toString()).isEmpty();
    }
}
