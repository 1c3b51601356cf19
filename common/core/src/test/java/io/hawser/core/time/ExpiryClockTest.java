package io.hawser.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExpiryClockTest {
    private static final long START = 1_700_000_000_000L;

    private long wall = START;
    private long steady = 5;
    private final ExpiryClock clock = new ExpiryClock(() -> wall, () -> steady);

    @BeforeEach
    void start() {
        assertThat(clock.nowMillis()).isEqualTo(START);
    }

    private void pass(Duration time) {
        wall += time.toMillis();
        steady += time.toMillis();
    }

    private void jump(Duration by) {
        wall += by.toMillis();
    }

    @Test
    void withoutAJumpItIsTheWallClock() {
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofHours(5));
            jump(Duration.ofSeconds(50)); // as where the time service corrects a little
            assertThat(clock.nowMillis()).isEqualTo(wall);
        }
    }

    @Test
    void aJumpThatDoesNotLastIsIgnored() {
        jump(Duration.ofDays(400));
        assertThat(clock.nowMillis()).isEqualTo(START);
        pass(Duration.ofSeconds(299));
        assertThat(clock.nowMillis()).isEqualTo(START + 299_000);

        jump(Duration.ofDays(-400));
        pass(Duration.ofSeconds(2));
        assertThat(clock.nowMillis()).isEqualTo(wall);
        jump(Duration.ofDays(400)); // five minutes begin anew
        assertThat(clock.nowMillis()).isEqualTo(START + 301_000);
    }

    @Test
    void aJumpThatLastsCounts() {
        jump(Duration.ofDays(400));
        assertThat(clock.nowMillis()).isEqualTo(START);
        pass(Duration.ofMinutes(5));
        assertThat(clock.nowMillis()).isEqualTo(wall);
    }

    @Test
    void anotherJumpHasToLastToo() {
        jump(Duration.ofDays(1));
        assertThat(clock.nowMillis()).isEqualTo(START);
        pass(Duration.ofSeconds(200));
        jump(Duration.ofDays(1));
        assertThat(clock.nowMillis()).isEqualTo(START + 200_000);
        pass(Duration.ofSeconds(200));
        assertThat(clock.nowMillis()).isEqualTo(START + 400_000);
        pass(Duration.ofSeconds(100));
        assertThat(clock.nowMillis()).isEqualTo(wall);
    }

    @Test
    void aClockThatGoesBackIsFollowedAtOnce() {
        pass(Duration.ofDays(2));
        jump(Duration.ofDays(-1));
        assertThat(clock.nowMillis()).isEqualTo(wall);
    }
}
