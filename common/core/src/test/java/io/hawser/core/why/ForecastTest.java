package io.hawser.core.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ForecastTest {
    private static final long STEP_NANOS = Forecast.SAMPLE_MILLIS * 1_000_000;
    private static final long GIB = 1L << 30;

    private final Forecast forecast = new Forecast();
    private long now = -7 * STEP_NANOS;

    private void sample(long free) {
        now += STEP_NANOS;
        forecast.sample(now, free);
    }

    /** A resource that fills at so many bytes each second, for so many samples. */
    private long fills(long free, long bytesPerSecond, int samples) {
        long left = free;
        for (int i = 0; i < samples; i++) {
            sample(left);
            left -= bytesPerSecond * Forecast.SAMPLE_MILLIS / 1000;
        }
        return left;
    }

    @Test
    void aSteadyFallEndsWhenNothingIsLeft() {
        fills(3 * GIB, 1 << 20, 24);

        double leftBytes = 3.0 * GIB - 23 * 5.0 * (1 << 20);
        assertThat(forecast.fallBytesPerSecond()).isCloseTo(1 << 20, within(1.0));
        assertThat((double) forecast.secondsLeft().orElseThrow()).isCloseTo(leftBytes / (1 << 20), within(2.0));
    }

    @Test
    void noiseOnAFallIsAveraged() {
        Random noise = new Random(7);
        for (int i = 0; i < 24; i++) {
            sample(3 * GIB - i * 5L * (10 << 20) + noise.nextInt(40 << 20));
        }
        assertThat(forecast.fallBytesPerSecond()).isBetween(8.0 * (1 << 20), 12.0 * (1 << 20));
    }

    @Test
    void withFewSamplesNothingIsSaid() {
        fills(GIB, 1 << 20, 5);
        assertThat(forecast.secondsLeft()).isEmpty();
        fills(GIB - 25 * (1 << 20), 1 << 20, 1);
        assertThat(forecast.secondsLeft()).isPresent();
    }

    @Test
    void whatDoesNotFillHasNoForecast() {
        fills(GIB, 0, 24);
        assertThat(forecast.secondsLeft()).isEmpty();
        fills(GIB, -(1 << 20), 24);
        assertThat(forecast.secondsLeft()).isEmpty();
    }

    @Test
    void scatterWithoutATrendHasNoForecast() {
        Random noise = new Random(3);
        for (int round = 0; round < 500; round++) {
            sample(GIB + noise.nextInt(100 << 20));
            assertThat(forecast.secondsLeft().orElse(Long.MAX_VALUE))
                    .as("round " + round)
                    .isGreaterThan(60);
        }
    }

    @Test
    void aFallThatHasEndedHasNoForecast() {
        long left = fills(GIB, 1 << 20, 24);
        fills(left, 0, 4);
        assertThat(forecast.secondsLeft()).isEmpty();
    }

    @Test
    void anotherRateCountsAfterTwoMinutes() {
        long left = fills(100 * GIB, 1 << 20, 100);
        fills(left, 50 << 20, 24);
        assertThat(forecast.fallBytesPerSecond()).isCloseTo(50 << 20, within(1.0));
    }

    @Test
    void whatIsFullIsFullNow() {
        fills(60 * (1 << 20), 1 << 20, 13);
        assertThat(forecast.secondsLeft()).hasValue(0);
    }

    @Test
    void whatIsFarAheadIsNotSaid() {
        fills(1L << 50, 1 << 20, 24);
        assertThat(forecast.secondsLeft()).isEmpty();
    }
}
