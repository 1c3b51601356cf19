package io.hawser.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SendDisplayTest {
    private static final long MIB = 1 << 20;

    private final StringWriter err = new StringWriter();

    private SendDisplay plain(long intervalNanos) {
        return new SendDisplay(10 * MIB, false, new PrintWriter(err), intervalNanos);
    }

    @Test
    void plainLinesSayWhatIsDurableAndWhyNothingMoves() {
        try (SendDisplay display = plain(0)) {
            display.show(0, 0, 3, "Connection refused");
            display.show(5 * MIB, 1, 3, "");
        }
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("0 B of 10 MiB durable at the broker, 0 of 3 transfers, 0.0 MB/s")
                                .endsWith("; waiting for the broker: Connection refused"),
                        second -> assertThat(second)
                                .matches("5 MiB of 10 MiB durable at the broker, 1 of 3 transfers, [0-9.]+ MB/s"));
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
