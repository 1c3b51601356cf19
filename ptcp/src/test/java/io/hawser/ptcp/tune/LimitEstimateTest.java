package io.hawser.ptcp.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.tune.SendLimit.Cause;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LimitEstimateTest {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MIN_RTT_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final long BYTES = 1 << 20;

    private final LimitEstimate estimate = new LimitEstimate();
    private long now;

    private void tick(long rttNanos, double loss, double window, long rateWaited, boolean paced) {
        now += TICK_NANOS;
        estimate.onTick(
                new IntervalSample(
                        now,
                        TICK_NANOS,
                        BYTES,
                        new IntervalSample.RoundTrips(rttNanos, rttNanos, Math.min(rttNanos, MIN_RTT_NANOS)),
                        new IntervalSample.Load(loss, window, true, true)),
                rateWaited,
                paced);
    }

    private Cause after(int ticks, long rttNanos, double loss, double window, long rateWaited) {
        for (int i = 0; i < ticks; i++) {
            tick(rttNanos, loss, window, rateWaited, false);
        }
        return estimate.now().cause();
    }

    @Test
    void nothingIsKnownBeforeTheFirstTick() {
        assertThat(estimate.now()).isEqualTo(SendLimit.UNKNOWN);
    }

    @Test
    void aRateThatHoldsPacketsBackMostOfTheTimeIsTheLimit() {
        assertThat(after(5, MIN_RTT_NANOS, 0.05, 1, TICK_NANOS * 9 / 10)).isEqualTo(Cause.RATE);
        assertThat(estimate.now().bytesPerSecond()).isEqualTo(10 * BYTES);
    }

    @Test
    void aFullQueueIsTheLinkEvenIfItDrops() {
        assertThat(after(5, 2 * MIN_RTT_NANOS, 0.02, 0, 0)).isEqualTo(Cause.LINK);
    }

    @Test
    void lossWithoutAQueueIsLoss() {
        assertThat(after(5, MIN_RTT_NANOS, 0.02, 0.9, 0)).isEqualTo(Cause.LOSS);
        assertThat(estimate.now().lossShare()).isBetween(0.019, 0.021);
    }

    @Test
    void withoutAQueueAndLossTheWindowIsTheLimitOnALongLink() {
        assertThat(after(5, MIN_RTT_NANOS, 0, 0.9, 0)).isEqualTo(Cause.WINDOW);
        assertThat(after(20, MIN_RTT_NANOS, 0, 0, 0)).isEqualTo(Cause.WINDOW);
    }

    @Test
    void nearbyWithoutAWindowLimitItIsTheLink() {
        assertThat(after(5, TimeUnit.MICROSECONDS.toNanos(100), 0, 0, 0)).isEqualTo(Cause.LINK);
    }

    @Test
    void pacedToTheLinksRateItIsTheLink() {
        tick(MIN_RTT_NANOS, 0, 0, 0, true);
        assertThat(estimate.now().cause()).isEqualTo(Cause.LINK);
    }

    @Test
    void anotherLimitIsNamedWithinASecond() {
        after(600, 2 * MIN_RTT_NANOS, 0, 0, 0);
        assertThat(after(10, MIN_RTT_NANOS, 0.05, 0, 0)).isEqualTo(Cause.LOSS);
    }
}
