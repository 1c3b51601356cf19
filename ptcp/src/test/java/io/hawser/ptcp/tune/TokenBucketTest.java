package io.hawser.ptcp.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {
    private static final long SECOND = 1_000_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {20_000, 1_250_000, 125_000_000})
    void theRateHoldsWhateverIsTaken(long rate) {
        Random random = new Random(rate);
        long now = 5;
        TokenBucket bucket = new TokenBucket(rate, now);
        double taken = 0;
        long largest = 0;
        while (now < 10 * SECOND) {
            long wait = bucket.waitNanos(now);
            if (wait > 0) {
                now += wait;
                assertThat(bucket.waitNanos(now)).isZero();
            }
            int bytes = 1 + random.nextInt(100_000);
            largest = Math.max(largest, bytes);
            bucket.take(bytes);
            taken += bytes;
            now += random.nextInt(1000);
        }
        double allowed = rate * 10.0;
        double burst = Math.max(TokenBucket.LEAST_BURST_BYTES, rate * (TokenBucket.BURST_NANOS / 1e9));
        assertThat(taken).isBetween(allowed * 0.95, allowed + burst + 2 * largest);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000_000})
    void aPauseSavesUpNoMoreThanABurst(long rate) {
        TokenBucket bucket = new TokenBucket(rate, 0);
        long now = 3600 * SECOND;
        long taken = 0;
        while (bucket.waitNanos(now) == 0 && taken < 1_000_000) {
            bucket.take(1000);
            taken += 1000;
        }
        if (rate > 0) {
            assertThat(taken).isLessThan(25_000);
        }
    }

    @org.junit.jupiter.api.Test
    void aLimitCanBeLiftedAndSetAgain() {
        TokenBucket bucket = new TokenBucket(1000, 0);
        bucket.take(1_000_000);
        assertThat(bucket.waitNanos(0)).isPositive();
        bucket.rate(0, 0);
        assertThat(bucket.waitNanos(0)).isZero();
        bucket.rate(1000, SECOND);
        bucket.take(20_000);
        assertThat(bucket.waitNanos(SECOND)).isBetween(SECOND, 5 * SECOND);
    }
}
