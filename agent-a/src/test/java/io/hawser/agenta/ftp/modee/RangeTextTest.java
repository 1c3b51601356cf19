package io.hawser.agenta.ftp.modee;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FragmentRanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeTextTest {
    @Test
    void rangesAreReadAndWritten() {
        FragmentRanges ranges = RangeText.parse("20-30,0-10").orElseThrow();

        assertThat(RangeText.format(ranges)).isEqualTo("0-10,20-30");
    }

    @Test
    void rangesThatTouchAreJoined() {
        assertThat(RangeText.format(RangeText.parse("0-10,10-20").orElseThrow()))
                .isEqualTo("0-20");
    }

    @Test
    void emptyRangeIsNothing() {
        assertThat(RangeText.parse("0-0").orElseThrow()).isEqualTo(new FragmentRanges());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5-", "-5", "9-5", "a-b", "0-10,", "1--2", "0-99999999999999999999", "0-10;20-30"})
    void otherTextIsRefused(String text) {
        assertThat(RangeText.parse(text)).isEmpty();
    }

    @Test
    void absurdNumberOfRangesIsRefused() {
        assertThat(RangeText.parse("1-2,".repeat(20_000) + "1-2")).isEmpty();
    }
}
