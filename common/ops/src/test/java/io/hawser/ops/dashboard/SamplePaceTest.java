package io.hawser.ops.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplePaceTest {
    private static final long SECOND = SamplePace.PERIOD_NANOS;

    private final SamplePace pace = new SamplePace();

    @Test
    void fastSamplesOfAllAreTakenEachSecond() {
        assertThat(pace.isWholeDue(0)).isTrue();
        pace.tookWhole(0, SECOND / 100);

        assertThat(pace.isWholeDue(SECOND / 2)).isFalse();
        assertThat(pace.isWholeDue(SECOND)).isTrue();
    }

    @Test
    void slowSamplesOfAllTakeAHundredthOfTheTime() {
        pace.tookWhole(0, SECOND / 4);

        assertThat(pace.isWholeDue(24 * SECOND)).isFalse();
        assertThat(pace.isWholeDue(25 * SECOND)).isTrue();
    }

    @Test
    void pauseIsNeverShorterThanTheSample() {
        assertThat(SamplePace.pauseNanos(0, SECOND / 10)).isEqualTo(SECOND - SECOND / 10);
        assertThat(SamplePace.pauseNanos(0, 3 * SECOND)).isEqualTo(3 * SECOND);
    }
}
