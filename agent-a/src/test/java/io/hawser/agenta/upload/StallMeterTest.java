package io.hawser.agenta.upload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallMeterTest {
    private final StallMeter idle = new StallMeter(100, 7, 1000);

    @Test
    void timeIsCountedFromTheLastByteThatWasSeen() {
        assertThat(idle.isOver(8, false, 1010)).isFalse();

        assertThat(idle.isOver(8, false, 1109)).isFalse();
        assertThat(idle.isOver(8, false, 1110)).isTrue();
    }

    @Test
    void whatWasThereAtTheBeginningIsNotNew() {
        assertThat(idle.isOver(7, false, 1099)).isFalse();
        assertThat(idle.isOver(7, false, 1100)).isTrue();
    }

    @Test
    void peerThatWaitsForThisNodeIsNotQuiet() {
        assertThat(idle.isOver(7, true, 1100)).isFalse();
        assertThat(idle.isOver(7, false, 1199)).isFalse();
        assertThat(idle.isOver(7, false, 1200)).isTrue();
    }
}
