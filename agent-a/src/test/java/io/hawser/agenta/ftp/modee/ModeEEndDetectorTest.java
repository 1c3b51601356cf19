package io.hawser.agenta.ftp.modee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.ftp.MalformedBlockException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModeEEndDetectorTest {
    private final ModeEEndDetector endDetector = new ModeEEndDetector(8);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void eofMayComeBeforeBetweenAndBehindTheEods(int eodsBefore) throws Exception {
        for (int i = 0; i < eodsBefore; i++) {
            endDetector.eod();
            assertThat(endDetector.isComplete()).isFalse();
        }
        endDetector.eof(3);
        for (int i = eodsBefore; i < 3; i++) {
            assertThat(endDetector.isComplete()).isFalse();
            endDetector.eod();
        }

        assertThat(endDetector.isComplete()).isTrue();
    }

    @Test
    void nothingIsCompleteWithoutEof() throws Exception {
        endDetector.eod();

        assertThat(endDetector.isComplete()).isFalse();
        assertThat(endDetector.missing()).contains("EOF");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 9, Long.MAX_VALUE, Long.MIN_VALUE})
    void impossibleNumbersOfConnectionsAreRefused(long connections) {
        assertThatThrownBy(() -> endDetector.eof(connections)).isInstanceOf(MalformedBlockException.class);
    }

    @Test
    void secondEofIsRefused() throws Exception {
        endDetector.eof(2);

        assertThatThrownBy(() -> endDetector.eof(2)).isInstanceOf(MalformedBlockException.class);
    }

    @Test
    void moreEodsThanToldAreRefusedInEitherOrder() throws Exception {
        endDetector.eof(1);
        endDetector.eod();
        assertThatThrownBy(endDetector::eod).isInstanceOf(MalformedBlockException.class);

        ModeEEndDetector other = new ModeEEndDetector(8);
        other.eod();
        other.eod();
        assertThatThrownBy(() -> other.eof(1)).isInstanceOf(MalformedBlockException.class);
    }
}
