package io.hawser.core.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvictingMapTest {
    private final Map<String, Integer> map = new EvictingMap<>(2);

    @Test
    void evictsTheOldestEntryBeyondItsMaximum() {
        map.put("a", 1);
        map.putIfAbsent("b", 2);
        map.computeIfAbsent("c", key -> 3);
        map.merge("d", 4, Integer::sum);
        assertThat(map).containsExactly(Map.entry("c", 3), Map.entry("d", 4));
    }

    @Test
    void aReplacedValueDoesNotMakeAnEntryYounger() {
        map.put("a", 1);
        map.put("b", 2);
        map.put("a", 3);
        map.put("c", 4);
        assertThat(map).containsOnlyKeys("b", "c");
    }

    @Test
    void aReinsertedEntryIsTheYoungest() {
        map.put("a", 1);
        map.put("b", 2);
        map.remove("a");
        map.put("a", 3);
        map.put("c", 4);
        assertThat(map).containsOnlyKeys("a", "c");
    }

    @Test
    void theOwnerLearnsOfAnEviction() {
        Map<String, Integer> evicted = new HashMap<>();
        Map<String, Integer> observed = new EvictingMap<>(1, evicted::put);
        observed.put("a", 1);
        observed.put("b", 2);
        assertThat(observed).containsOnlyKeys("b");
        assertThat(evicted).containsExactly(Map.entry("a", 1));
    }

    @Test
    void aReadEntryIsKeptIfTheLeastRecentlyUsedGoes() {
        Map<String, Integer> used = EvictingMap.leastRecentlyUsed(2);
        used.put("a", 1);
        used.put("b", 2);
        assertThat(used.get("a")).isEqualTo(1);
        used.put("c", 3);
        assertThat(used).containsOnlyKeys("a", "c");
    }

    @Test
    void aSetEvictsItsOldestElement() {
        Set<String> set = EvictingMap.newSet(2);
        assertThat(set.add("a")).isTrue();
        assertThat(set.add("b")).isTrue();
        assertThat(set.add("a")).isFalse();
        assertThat(set.add("c")).isTrue();
        assertThat(set).containsExactly("b", "c");
    }

    @Test
    void aMaximumOfZeroKeepsNothing() {
        Map<String, Integer> none = new EvictingMap<>(0);
        none.put("a", 1);
        assertThat(none).isEmpty();
    }

    @Test
    void refusesAMaximumBelowZero() {
        assertThatThrownBy(() -> new EvictingMap<>(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
