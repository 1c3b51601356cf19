package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamePatternTest {
    @ParameterizedTest
    @CsvSource({
        "a/b.csv, a/b.csv, true",
        "*.csv, b.csv, true",
        "*.csv, .csv, true",
        "*.csv, a/b.csv, false",
        "**.csv, a/b.csv, true",
        "**/b.csv, a/c/b.csv, true",
        "**/b.csv, b.csv, false",
        "a/**, a/b/c, true",
        "a/*, a/b/c, false",
        "a/*/c, a/b/c, true",
        "?.csv, b.csv, true",
        "?.csv, /.csv, false",
        "?.csv, .csv, false",
        "a.c, abc, false",
        "a[b], a[b], true",
        "*, '', true",
        "***, a/b, true",
        "a*b*c, axxbxxbc, true",
        "a*b*c, axxbxxb, false"
    })
    void aPatternFitsTheWholeName(String pattern, String name, boolean fits) {
        assertThat(new NamePattern(pattern).matches(name)).isEqualTo(fits);
    }

    @Test
    void aPatternOfManyStarsTakesNoLongerThanItsLengthTimesTheNames() {
        String pattern = "*a".repeat(NamePattern.MAX_LENGTH / 2);
        assertThat(new NamePattern(pattern).matches("a".repeat(4096))).isTrue();
        assertThat(new NamePattern(pattern).matches("a".repeat(4096) + "b")).isFalse();
    }

    @Test
    void aPatternThatIsEmptyOrVeryLongIsRefused() {
        assertThatThrownBy(() -> new NamePattern("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NamePattern("a".repeat(NamePattern.MAX_LENGTH + 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
