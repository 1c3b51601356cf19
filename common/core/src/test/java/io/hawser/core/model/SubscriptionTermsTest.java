package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionTermsTest {
    @Test
    void whatIsNotSetIsNotNamedAndAllComesBack() {
        assertThat(SubscriptionTerms.NONE.toMap()).isEmpty();
        assertThat(SubscriptionTerms.of(Map.of())).isEqualTo(SubscriptionTerms.NONE);

        SubscriptionTerms some = new SubscriptionTerms(3_600_000, 5_000_000, ReplayFilter.ALL);
        assertThat(some.toMap()).containsEntry("deadline", "3600000").hasSize(2);
        assertThat(SubscriptionTerms.of(some.toMap())).isEqualTo(some);
    }

    @Test
    void whatIsReplayedCountsOnlyOnce() {
        ReplayFilter replay = new ReplayFilter(1_000, Optional.of(new NamePattern("in/**.csv")));
        SubscriptionTerms some = new SubscriptionTerms(60_000, 0, replay);

        assertThat(some.toMap())
                .containsOnly(
                        Map.entry("deadline", "60000"), Map.entry("since", "1000"), Map.entry("names", "in/**.csv"));
        assertThat(SubscriptionTerms.of(some.toMap())).isEqualTo(some);
        assertThat(some.areInForceAs(new SubscriptionTerms(60_000, 0, ReplayFilter.ALL)))
                .isTrue();
        assertThat(some.areInForceAs(new SubscriptionTerms(60_001, 0, replay))).isFalse();
        assertThat(some.areInForceAs(new SubscriptionTerms(60_000, 1, replay))).isFalse();
    }

    @Test
    void ofWhatIsKeptATimeAndANameSayWhatIsReplayed() {
        ReplayFilter replay = new ReplayFilter(1_000, Optional.of(new NamePattern("in/**.csv")));

        assertThat(replay.has(1_000, "in/a.csv")).isTrue();
        assertThat(replay.has(999, "in/a.csv")).isFalse();
        assertThat(replay.has(1_000, "in/a.txt")).isFalse();
        assertThat(ReplayFilter.ALL.has(0, "anything")).isTrue();
        assertThatThrownBy(() -> new ReplayFilter(-1, Optional.empty())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoNamesNoPriorityHasTheUsualOneAndSaysNothingOfIt() {
        assertThat(SubscriptionTerms.of(Map.of()).priority()).isEqualTo(SubscriptionTerms.USUAL_PRIORITY);
        assertThat(SubscriptionTerms.NONE.toMap()).isEmpty();
        SubscriptionTerms first = new SubscriptionTerms(0, 0, ReplayFilter.ALL, Optional.of("w1"), 9);
        assertThat(first.toMap()).containsOnly(Map.entry("member", "w1"), Map.entry("priority", "9"));
        assertThat(SubscriptionTerms.of(first.toMap())).isEqualTo(first);
        assertThat(first.areInForceAs(SubscriptionTerms.NONE)).isFalse();
        assertThatThrownBy(() -> SubscriptionTerms.of(Map.of("priority", "10")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 9");
    }

    @Test
    void oneThatIsNotKnownIsRefusedByItsName() {
        assertThatThrownBy(() -> SubscriptionTerms.of(Map.of("colour", "blue")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'colour'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1h", "9999999999999999999"})
    void oneThatCannotBeIsRefused(String value) {
        assertThatThrownBy(() -> SubscriptionTerms.of(Map.of("deadline", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'deadline'");
        assertThatThrownBy(() -> new SubscriptionTerms(-1, 0, ReplayFilter.ALL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SubscriptionTerms(0, -1, ReplayFilter.ALL))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A record that is written and cannot be read again would end the broker. */
    @Test
    void theLargestNumbersComeBackAndLargerOnesCannotBe() {
        long most = SubscriptionTerms.MAX_VALUE;
        SubscriptionTerms largest = new SubscriptionTerms(most, most, new ReplayFilter(most, Optional.empty()));
        assertThat(SubscriptionTerms.of(largest.toMap())).isEqualTo(largest);
        assertThatThrownBy(() -> new SubscriptionTerms(most + 1, 0, ReplayFilter.ALL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SubscriptionTerms(0, most + 1, ReplayFilter.ALL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SubscriptionTerms(0, 0, new ReplayFilter(most + 1, Optional.empty())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"1500,1500ms", "90000,90s", "5400000,90m", "90000000,25h", "172800000,2d"})
    void aDeadlineIsToldInTheLargestUnitThatFits(long millis, String text) {
        assertThat(new SubscriptionTerms(millis, 0, ReplayFilter.ALL).deadlineText())
                .isEqualTo(text);
    }
}
