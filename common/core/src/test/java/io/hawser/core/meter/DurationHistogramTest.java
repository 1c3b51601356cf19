package io.hawser.core.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {
    private final DurationHistogram histogram = new DurationHistogram();

    private long countUpTo(double seconds) {
        int bound = Arrays.binarySearch(DurationHistogram.boundsSeconds(), seconds);
        assertThat(bound).isNotNegative();
        return histogram.counts()[bound];
    }

    @Test
    void aDurationAtABoundCountsBelowIt() {
        histogram.record(TimeUnit.MILLISECONDS.toNanos(1));
        histogram.record(TimeUnit.MILLISECONDS.toNanos(1) + 1);

        assertThat(countUpTo(0.001)).isEqualTo(1);
        assertThat(countUpTo(0.0025)).isEqualTo(1);
    }

    @Test
    void whatIsLongerThanAllBoundsIsInTheLastBucket() {
        histogram.record(TimeUnit.HOURS.toNanos(1));

        assertThat(countUpTo(Double.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(histogram.sumSeconds()).isEqualTo(3600);
    }

    @Test
    void aClockThatWentBackCountsAsNothing() {
        histogram.record(-5);

        assertThat(histogram.counts()[0]).isEqualTo(1);
        assertThat(histogram.sumSeconds()).isZero();
    }
}
