package io.hawser.it.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Where two states differ, each given as a line for each key. It keeps nothing: any thread may call it. */
final class ReferenceDifference {
    private ReferenceDifference() {}

    /** A sentence for each key whose lines differ; none if the states agree. */
    static <K extends Comparable<K>> List<String> between(Map<K, String> expected, Map<K, String> found) {
        TreeSet<K> keys = new TreeSet<>(expected.keySet());
        keys.addAll(found.keySet());
        List<String> all = new ArrayList<>();
        for (K key : keys) {
            String one = expected.getOrDefault(key, "nothing");
            String other = found.getOrDefault(key, "nothing");
            if (!Objects.equals(one, other)) {
                all.add(key + ":\n  the documents say " + one + "\n  the store says    " + other);
            }
        }
        return all;
    }
}
