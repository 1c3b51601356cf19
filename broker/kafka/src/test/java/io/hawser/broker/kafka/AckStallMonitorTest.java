package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.HealthWarning;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AckStallMonitorTest {
    private long nanos;
    private final AckStallMonitor ackStalls = new AckStallMonitor(() -> nanos);

    private void pass(int seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void whoWritesNothingWaitsForNothing() {
        pass(100);

        assertThat(ackStalls.warnings()).isEmpty();
    }

    @Test
    void whatIsNotConfirmedForSomeSecondsIsSaid() {
        pass(100);
        ackStalls.given();
        ackStalls.given();
        pass(5);
        assertThat(ackStalls.warnings()).isEmpty();
        pass(7);

        assertThat(ackStalls.warnings()).extracting(HealthWarning::code).containsExactly("kafka.silent");
        assertThat(ackStalls.warnings().get(0).sentence()).startsWith("for 12 s Kafka has confirmed nothing");
    }

    @Test
    void aWordOfKafkaEndsItAndTheNextSilenceIsCountedFromThere() {
        ackStalls.given();
        ackStalls.given();
        pass(12);
        ackStalls.over(1);
        assertThat(ackStalls.warnings()).isEmpty();
        pass(12);
        assertThat(ackStalls.warnings()).isNotEmpty();

        ackStalls.over(1);
        pass(100);
        assertThat(ackStalls.warnings()).isEmpty();
    }
}
