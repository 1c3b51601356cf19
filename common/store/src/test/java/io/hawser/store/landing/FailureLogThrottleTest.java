package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailureLogThrottleTest {
    private final FailureLogThrottle reasons = new FailureLogThrottle();

    @Test
    void eachIsNewsOnceInTenMinutes() {
        assertThat(reasons.isNews("away", 0)).isTrue();
        assertThat(reasons.isNews("away", Duration.ofMinutes(9).toNanos())).isFalse();
        assertThat(reasons.isNews("full", Duration.ofMinutes(9).toNanos())).isTrue();
        assertThat(reasons.isNews("away", Duration.ofMinutes(10).toNanos())).isTrue();
    }

    @Test
    void aFewAreRemembered() {
        for (int i = 0; i <= 64; i++) {
            assertThat(reasons.isNews("reason " + i, i)).isTrue();
        }
        assertThat(reasons.isNews("reason 64", 65)).isFalse();
        assertThat(reasons.isNews("reason 0", 65)).as("the oldest is forgotten").isTrue();
    }
}
