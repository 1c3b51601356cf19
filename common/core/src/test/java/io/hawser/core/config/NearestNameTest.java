package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
    private static final List<String> KNOWN = List.of("broker", "status", "subscriptions", "send", "up");

    @Test
    void aFewWrongLettersFindTheName() {
        assertThat(NearestName.of("brokr", KNOWN)).contains("broker");
        assertThat(NearestName.of("stauts", KNOWN)).contains("status");
    }

    @Test
    void theOnlyNameWithThisBeginningIsFound() {
        assertThat(NearestName.of("subscr", KNOWN)).contains("subscriptions");
        assertThat(NearestName.of("s", KNOWN)).isEmpty();
    }

    @Test
    void whatResemblesNothingFindsNothing() {
        assertThat(NearestName.of("frobnicate", KNOWN)).isEmpty();
        assertThat(NearestName.of("x", KNOWN)).isEmpty();
    }
}
