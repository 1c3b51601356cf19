package io.hawser.agentb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartPositionTest {
    private static final long NOW = 1_772_355_600_000L; // 2026-03-01T09:00:00Z

    @Test
    void itIsNowOrTheEarliest() {
        assertThat(StartPosition.parse("now", NOW)).isEqualTo(new StartPosition(StartAt.NOW, 0));
        assertThat(StartPosition.parse("earliest", NOW)).isEqualTo(new StartPosition(StartAt.EARLIEST, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-01T09:00:00Z, 0",
        "2026-03-01T10:00:00+01:00, 0",
        "2026-03-01T08:59:59.500Z, 500",
        "90s, 90000",
        "1d, 86400000"
    })
    void itIsATimeOrHowLongAgo(String text, long millisAgo) {
        assertThat(StartPosition.parse(text, NOW)).isEqualTo(new StartPosition(StartAt.EARLIEST, NOW - millisAgo));
    }

    @Test
    void aTimeBeforeAllTimesIsTheFirst() {
        assertThat(StartPosition.parse("36500d", NOW).sinceEpochMillis()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2026-03-01",
                "2026-03-01T09:00:00",
                "12",
                "999999999d",
                "+999999999-01-01T00:00:00Z"
            })
    void anythingElseIsRefusedWithTheFormsThatThereAre(String text) {
        assertThatThrownBy(() -> StartPosition.parse(text, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("12h");
    }

    @Test
    void aTimeFarAheadCanStillBeSentToTheBroker() {
        long since = StartPosition.parse("+99999999-01-01T00:00:00Z", NOW).sinceEpochMillis();
        assertThat(new SubscriptionTerms(0, 0, new ReplayFilter(since, Optional.empty())))
                .isNotNull();
    }
}
