package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateWindowTest {
    private final RateWindow window = new RateWindow();

    private void at(double seconds, long bytes) {
        window.add((long) (seconds * TimeUnit.SECONDS.toNanos(1)), bytes);
    }

    @Test
    void itIsTheRateOfTheLastSecondsOnly() {
        at(0, 0);
        assertThat(window.bytesPerSecond()).isZero();
        at(1, 1000);
        assertThat(window.bytesPerSecond()).isEqualTo(1000);
        for (int second = 2; second <= 20; second++) {
            at(second, 1000);
        }
        assertThat(window.bytesPerSecond()).as("nothing moved for long").isZero();
    }

    @Test
    void samplesMayBeFarApart() {
        at(0, 0);
        at(60, 600);
        at(120, 1800);
        assertThat(window.bytesPerSecond()).isEqualTo(20);
    }

    @Test
    void theTimeBeforeTheFirstByteDoesNotCount() {
        at(0, 0);
        at(3, 0);
        at(4, 1000);
        assertThat(window.bytesPerSecond()).isEqualTo(1000);
    }

    @Test
    void whatIsTakenBackIsNoNegativeRate() {
        at(0, 500);
        at(1, 0);
        assertThat(window.bytesPerSecond()).isZero();
    }
}
