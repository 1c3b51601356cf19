package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventBodyTest {
    private static LogRecord record(byte[] body) {
        LogPosition position = new LogPosition(1, 7);
        return new LogRecord(1, 3, 2, position, 1, null, 21, new byte[32], body, 0, 0, position, 1);
    }

    @Test
    void theEventsComeBackAsTheyWere() throws Exception {
        LogRecord read = record(EventBody.encode(1L << 40, new byte[] {1, 2, 3}));

        assertThat(EventBody.bytesBefore(read)).isEqualTo(1L << 40);
        assertThat(EventBody.events(read).body()).containsExactly(1, 2, 3);
        assertThat(EventBody.events(read).index()).isEqualTo(21);
        assertThat(EventBody.events(read).position()).isEqualTo(read.position());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void aBodyWithoutASizeIsDamage(int length) {
        assertThatThrownBy(() -> EventBody.events(record(new byte[length]))).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void aSizeBelowZeroIsDamage() {
        assertThatThrownBy(() -> EventBody.bytesBefore(record(EventBody.encode(-1, new byte[4]))))
                .isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void aReadingGoesOnWhereTheLastOneEnded() {
        EventOffsets offsets = new EventOffsets();
        assertThat(offsets.before(100)).isZero();
        offsets.put(50, 500);
        offsets.put(90, 900);

        assertThat(offsets.before(49)).isZero();
        assertThat(offsets.before(50)).isEqualTo(500);
        assertThat(offsets.before(100)).isEqualTo(900);

        for (int i = 0; i < 100; i++) {
            offsets.put(1000 + i, 10_000 + i);
        }
        assertThat(offsets.before(100)).as("what was not used is forgotten").isZero();
    }
}
