package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.helpers.NOPLogger;

class LogDamagesTest {
    private final LogDamages damages = new LogDamages(NOPLogger.NOP_LOGGER, "damaged");

    @Test
    void aPlaceCountsOnceAlsoIfItIsFoundAgain() {
        damages.unreadable(new LogPosition(1, 4096), 100);
        damages.unreadable(new LogPosition(1, 4096), 200);

        assertThat(damages.all()).containsExactly(new LogDamage(new LogPosition(1, 4096), 100, 0, 0));
    }

    @Test
    void ofVeryManyTheFirstAreKept() {
        for (int block = 1; block <= 1001; block++) {
            damages.unreadable(new LogPosition(1, block * 4096L), 1);
        }

        assertThat(damages.all()).hasSize(1000).last().isEqualTo(new LogDamage(new LogPosition(1, 4096_000L), 1, 0, 0));
    }
}
