package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AckStallMonitorTest {
    private long nanos;
    private final AckStallMonitor confirmations = new AckStallMonitor(() -> nanos);

    private void pass(int seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void whoWritesNothingWaitsForNothing() {
        pass(100);

        assertThat(confirmations.warnings()).isEmpty();
    }

    @Test
    void whatIsNotConfirmedForSomeSecondsIsSaid() {
        pass(100);
        confirmations.given();
        confirmations.given();
        pass(5);
        assertThat(confirmations.warnings()).isEmpty();
        pass(7);

        assertThat(confirmations.warnings()).containsOnlyKeys("kafka.silent");
        assertThat(confirmations.warnings().get("kafka.silent")).startsWith("for 12 s Kafka has confirmed nothing");
    }

    @Test
    void aWordOfKafkaEndsItAndTheNextSilenceIsCountedFromThere() {
        confirmations.given();
        confirmations.given();
        pass(12);
        confirmations.over(1);
        assertThat(confirmations.warnings()).isEmpty();
        pass(12);
        assertThat(confirmations.warnings()).isNotEmpty();

        confirmations.over(1);
        pass(100);
        assertThat(confirmations.warnings()).isEmpty();
    }
}
