package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SoakSeriesTest {
    private static SoakSeries series(java.util.function.IntToDoubleFunction value) {
        SoakSeries series = new SoakSeries();
        for (int i = 0; i < 60; i++) {
            series.add(15 * i, value.applyAsDouble(i));
        }
        return series;
    }

    @Test
    void noiseAndSpikesAreFlat() {
        Random random = new Random(1);
        SoakSeries noisy = series(i -> 1000 + random.nextInt(100) + (i % 7 == 0 ? 5000 : 0));

        assertThat(noisy.growth()).isCloseTo(0, within(60.0));
        assertThat(noisy.isEnough()).isTrue();
    }

    @Test
    void aLeakIsSeenThroughNoise() {
        Random random = new Random(2);
        SoakSeries leaking = series(i -> 1000 + 10 * i + random.nextInt(100));

        assertThat(leaking.growth()).isCloseTo(440, within(60.0));
        assertThat(leaking.slope()).isCloseTo(10 / 15.0, within(0.1));
    }

    @Test
    void warmingUpIsNoGrowth() {
        assertThat(series(i -> i < 14 ? 100 * i : 1400).growth()).isZero();
    }

    @Test
    void twoSamplesProveNothing() {
        SoakSeries few = new SoakSeries();
        few.add(1, 1);
        few.add(2, 1);
        assertThat(few.isEnough()).isFalse();
    }
}
