package io.hawser.common.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionTermsTest {
    @Test
    void whatIsNotSetIsNotNamedAndAllComesBack() {
        assertThat(SubscriptionTerms.NONE.toMap()).isEmpty();
        assertThat(SubscriptionTerms.of(Map.of())).isEqualTo(SubscriptionTerms.NONE);

        SubscriptionTerms some = new SubscriptionTerms(3_600_000, 5_000_000);
        assertThat(some.toMap()).containsEntry("deadline", "3600000").hasSize(2);
        assertThat(SubscriptionTerms.of(some.toMap())).isEqualTo(some);
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
        assertThatThrownBy(() -> new SubscriptionTerms(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SubscriptionTerms(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"1500,1500ms", "90000,90s", "5400000,90m", "90000000,25h", "172800000,2d"})
    void aDeadlineIsToldInTheLargestUnitThatFits(long millis, String text) {
        assertThat(new SubscriptionTerms(millis, 0).deadlineText()).isEqualTo(text);
    }
}
