package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameFilterTest {
    private static NameFilter excluding(String... patterns) {
        return NameFilter.of(List.of(), List.of(patterns));
    }

    private static NameFilter including(String... patterns) {
        return NameFilter.of(List.of(patterns), List.of());
    }

    @Test
    void aNameFitsAtAnyDepth() {
        NameFilter filter = excluding("*.tmp");
        assertThat(filter.lets(Path.of("a.tmp"))).isFalse();
        assertThat(filter.lets(Path.of("deep/er/a.tmp"))).isFalse();
        assertThat(filter.lets(Path.of("a.tmp.txt"))).isTrue();
    }

    @Test
    void aPathFitsFromTheTop() {
        NameFilter filter = excluding("build/out", "/top");
        assertThat(filter.lets(Path.of("build/out/x"))).isFalse();
        assertThat(filter.lets(Path.of("sub/build/out"))).isTrue();
        assertThat(filter.lets(Path.of("top"))).isFalse();
        assertThat(filter.lets(Path.of("sub/top"))).isTrue();
    }

    @Test
    void twoStarsCrossDirectories() {
        NameFilter filter = excluding("**/cache/*");
        assertThat(filter.lets(Path.of("cache/x"))).as("also at the top").isFalse();
        assertThat(filter.lets(Path.of("a/b/cache/x"))).isFalse();
        assertThat(filter.lets(Path.of("a/cache"))).isTrue();
    }

    @Test
    void aDirectoryTakesAllBelowIt() {
        assertThat(excluding("node_modules/").excludes(Path.of("a/node_modules")))
                .isTrue();
        assertThat(including("photos").lets(Path.of("photos/2026/a.jpg"))).isTrue();
        assertThat(including("photos").lets(Path.of("notes/a.jpg"))).isFalse();
    }

    @Test
    void anExclusionGoesFirst() {
        NameFilter filter = NameFilter.of(List.of("*.jpg"), List.of("draft*"));
        assertThat(filter.lets(Path.of("a.jpg"))).isTrue();
        assertThat(filter.lets(Path.of("draft.jpg"))).isFalse();
        assertThat(filter.lets(Path.of("a.png"))).isFalse();
    }

    @Test
    void whatIsNoPatternIsRefusedByName() {
        assertThatThrownBy(() -> excluding("[a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'[a' is no pattern of a name");
        assertThatThrownBy(() -> excluding("/")).hasMessageContaining("'/' is no pattern of a name");
    }
}
