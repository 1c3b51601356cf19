package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PathOverlapTest {
    @Test
    void aPathIsBelowEachOfItsDirectories() {
        assertThat(PathOverlap.isBelow("a/b/c", "a")).isTrue();
        assertThat(PathOverlap.isBelow("a/b/c", "a/b")).isTrue();
        assertThat(PathOverlap.isBelow("a", "a")).isFalse();
        assertThat(PathOverlap.isBelow("a", "a/b")).isFalse();
    }

    @Test
    void aNameThatBeginsAlikeIsNotBelow() {
        assertThat(PathOverlap.isBelow("ab/c", "a")).isFalse();
        assertThat(PathOverlap.isAtOrBelow("ab", "a")).isFalse();
        assertThat(PathOverlap.overlap("ab", "a")).isFalse();
    }

    @Test
    void pathsOverlapIfOneIsAtOrBelowTheOther() {
        assertThat(PathOverlap.overlap("a", "a")).isTrue();
        assertThat(PathOverlap.overlap("a", "a/b")).isTrue();
        assertThat(PathOverlap.overlap("a/b", "a")).isTrue();
        assertThat(PathOverlap.overlap("a/b", "a/c")).isFalse();
    }

    @Test
    void entriesBelowADirectoryAreSelected() {
        TreeMap<String, Integer> byPath = new TreeMap<>();
        for (String path : new String[] {"a", "a-b", "a/b", "a/b/c", "a0", "a/\uFFFF", "b"}) {
            byPath.put(path, 1);
        }
        assertThat(PathOverlap.below(byPath, "a")).containsOnlyKeys("a/b", "a/b/c", "a/\uFFFF");
        assertThat(PathOverlap.below(byPath, "a/b")).containsOnlyKeys("a/b/c");
    }
}
