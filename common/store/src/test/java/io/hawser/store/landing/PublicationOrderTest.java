package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PublicationOrderTest {
    private final PublicationOrder<String> order = new PublicationOrder<>();

    @Test
    void theSamePathWaits() {
        assertThat(order.add("first", List.of("a"))).isTrue();
        assertThat(order.add("second", List.of("a"))).isFalse();
        assertThat(order.add("other", List.of("b"))).isTrue();
        assertThat(order.mustWait("second")).isTrue();
        assertThat(order.mustWait("other")).isFalse();

        assertThat(order.remove("other")).isEmpty();
        assertThat(order.mustWait("other")).isFalse();
        assertThat(order.remove("first")).containsExactly("second");
        assertThat(order.mustWait("second")).isFalse();
    }

    @Test
    void aPathBelowOrAboveWaits() {
        assertThat(order.add("directory", List.of("a/b"))).isTrue();
        assertThat(order.add("below", List.of("a/b/c"))).isFalse();
        assertThat(order.add("above", List.of("a"))).isFalse();
        assertThat(order.add("sibling", List.of("a/bc"))).isFalse(); // waits for "above" only

        assertThat(order.remove("directory")).containsExactly("below");
        assertThat(order.remove("below")).containsExactly("above");
        assertThat(order.remove("above")).containsExactly("sibling");
    }

    @Test
    void anItemDoesNotWaitForItself() {
        assertThat(order.add("both", List.of("a", "a/b", "a"))).isTrue();
        assertThat(order.remove("both")).isEmpty();
        assertThat(order.add("next", List.of("a/b"))).isTrue();
    }

    /** Against the definition, pair by pair. */
    @Test
    void randomItemsGoInAnOrderThatKeepsEveryConflict() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            PublicationOrder<Integer> subject = new PublicationOrder<>();
            List<List<String>> paths = new ArrayList<>();
            ArrayDeque<Integer> mayGo = new ArrayDeque<>();
            List<Integer> gone = new ArrayList<>();
            while (gone.size() < 40) {
                if (paths.size() < 40 && (mayGo.isEmpty() || random.nextBoolean())) {
                    paths.add(List.of(path(random), path(random)));
                    if (subject.add(paths.size() - 1, paths.get(paths.size() - 1))) {
                        mayGo.add(paths.size() - 1);
                    }
                } else {
                    int next = random.nextBoolean() ? mayGo.removeFirst() : mayGo.removeLast();
                    gone.add(next);
                    mayGo.addAll(subject.remove(next));
                }
            }
            for (int i = 0; i < gone.size(); i++) {
                for (int j = i + 1; j < gone.size(); j++) {
                    boolean turned = gone.get(i) > gone.get(j);
                    assertThat(turned && conflict(paths.get(gone.get(i)), paths.get(gone.get(j))))
                            .as("seed " + seed)
                            .isFalse();
                }
            }
        }
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder("r" + random.nextInt(2));
        for (int depth = random.nextInt(3); depth > 0; depth--) {
            path.append("/d").append(random.nextInt(2));
        }
        return path.toString();
    }

    private static boolean conflict(List<String> some, List<String> others) {
        return some.stream().anyMatch(a -> others.stream()
                .anyMatch(b -> a.equals(b) || a.startsWith(b + "/") || b.startsWith(a + "/")));
    }
}
