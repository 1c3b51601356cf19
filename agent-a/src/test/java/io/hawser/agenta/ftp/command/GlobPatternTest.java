package io.hawser.agenta.ftp.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobPatternTest {
    @ParameterizedTest
    @CsvSource({
        "*, a",
        "*.csv, a.csv",
        "a*b*c, aXbYbc",
        "?b, ab",
        "[a-c]x, bx",
        "[!a-c]x, dx",
        "[]x]y, ]y",
        "[a-]z, -z",
        "a\\*b, a*b",
        "[ab, [ab",
        ".*, .hid",
        "**, x",
        "*ab, aab"
    })
    void matches(String pattern, String name) {
        assertThat(new GlobPattern(pattern).matches(name)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "*.csv, a.txt",
        "?, ab",
        "?b, b",
        "[a-c]x, dx",
        "[!a-c]x, bx",
        "a\\*b, aXb",
        "*, .hidden",
        "a*, ba",
        "*a, ab",
        "abc, ab",
        "A, a"
    })
    void doesNotMatch(String pattern, String name) {
        assertThat(new GlobPattern(pattern).matches(name)).isFalse();
    }

    @Test
    void noPatternCostsMuch() {
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(1), () -> assertThat(
                        new GlobPattern("*a".repeat(100) + "b").matches("a".repeat(255)))
                .isFalse());
    }
}
