package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PathTreeTest {
    @Test
    void aPathIsBelowEachOfItsDirectories() {
        assertThat(PathTree.isBelow("a/b/c", "a")).isTrue();
        assertThat(PathTree.isBelow("a/b/c", "a/b")).isTrue();
        assertThat(PathTree.isBelow("a", "a")).isFalse();
        assertThat(PathTree.isBelow("a", "a/b")).isFalse();
    }

    @Test
    void aNameThatBeginsAlikeIsNotBelow() {
        assertThat(PathTree.isBelow("ab/c", "a")).isFalse();
        assertThat(PathTree.isAtOrBelow("ab", "a")).isFalse();
        assertThat(PathTree.overlap("ab", "a")).isFalse();
    }

    @Test
    void pathsOverlapIfOneIsAtOrBelowTheOther() {
        assertThat(PathTree.overlap("a", "a")).isTrue();
        assertThat(PathTree.overlap("a", "a/b")).isTrue();
        assertThat(PathTree.overlap("a/b", "a")).isTrue();
        assertThat(PathTree.overlap("a/b", "a/c")).isFalse();
    }

    @Test
    void entriesBelowADirectoryAreSelected() {
        TreeMap<String, Integer> byPath = new TreeMap<>();
        for (String path : new String[] {"a", "a-b", "a/b", "a/b/c", "a0", "a/\uFFFF", "b"}) {
            byPath.put(path, 1);
        }
        assertThat(PathTree.below(byPath, "a")).containsOnlyKeys("a/b", "a/b/c", "a/\uFFFF");
        assertThat(PathTree.below(byPath, "a/b")).containsOnlyKeys("a/b/c");
    }
}
