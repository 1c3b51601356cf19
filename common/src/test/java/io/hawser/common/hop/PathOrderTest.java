package io.hawser.common.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.model.NodeId;
import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.testkit.Invariant;
import io.hawser.common.testkit.InvariantName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

@Invariant(InvariantName.ORDER_BY_PATH)
class PathOrderTest {
    private final PathOrder order = new PathOrder();

    private static TransferKey key(long publisher, long id) {
        return new TransferKey(new NodeId(0, publisher), new TransferId(0, id));
    }

    @Test
    void publishersDoNotWaitForEachOther() {
        order.register(key(1, 1), 1, List.of("a"));
        order.register(key(2, 2), 2, List.of("a"));

        assertThat(order.mustWait(key(2, 2), 2, List.of("a"))).isFalse();
    }

    @Test
    void namesThatOnlyBeginAlikeDoNotConflict() {
        order.register(key(1, 1), 1, List.of("dir"));

        for (String path : List.of("dir-1", "dir.txt", "dir0", "di", "other/dir")) {
            assertThat(order.mustWait(key(1, 2), 2, List.of(path))).as(path).isFalse();
        }
    }

    @Test
    void eachOfSeveralPathsHoldsItsPlace() {
        order.register(key(1, 1), 1, List.of("from", "to/x"));

        assertThat(order.mustWait(key(1, 2), 2, List.of("to"))).isTrue();
        assertThat(order.mustWait(key(1, 3), 3, List.of("from"))).isTrue();
        assertThat(order.release(key(1, 1), 1, List.of("from", "to/x")))
                .containsExactlyInAnyOrder(key(1, 2), key(1, 3));
    }

    @Test
    void askingTwiceWakesOnce() {
        order.register(key(1, 1), 1, List.of("a"));
        order.mustWait(key(1, 2), 2, List.of("a"));
        order.mustWait(key(1, 2), 2, List.of("a"));

        assertThat(order.release(key(1, 1), 1, List.of("a"))).containsExactly(key(1, 2));
    }

    @Test
    void randomReleasesFollowTheSimpleModel() {
        Random random = new Random(7);
        String[] names = {"a", "b", "a/b", "a/b/c", "b/a", "a/c", "c"};
        for (int round = 0; round < 200; round++) {
            PathOrder tested = new PathOrder();
            Map<Long, String> live = new LinkedHashMap<>();
            List<Long> waiting = new ArrayList<>();
            for (long number = 1; number <= 8; number++) {
                String path = names[random.nextInt(names.length)];
                tested.register(key(1, number), number, List.of(path));
                live.put(number, path);
                waiting.add(number);
            }
            while (!live.isEmpty()) {
                List<Long> free = new ArrayList<>();
                for (long number : waiting) {
                    boolean blocked = isBlocked(live, number);
                    assertThat(tested.mustWait(key(1, number), number, List.of(live.get(number))))
                            .as("round %d, number %d of %s", round, number, live)
                            .isEqualTo(blocked);
                    if (!blocked) {
                        free.add(number);
                    }
                }
                long done = free.get(random.nextInt(free.size()));
                String path = live.remove(done);
                waiting.remove(done);
                tested.release(key(1, done), done, List.of(path));
            }
        }
    }

    private static boolean isBlocked(Map<Long, String> live, long number) {
        String path = Objects.requireNonNull(live.get(number));
        return live.entrySet().stream()
                .anyMatch(other -> other.getKey() < number
                        && (other.getValue().equals(path)
                                || path.startsWith(other.getValue() + "/")
                                || other.getValue().startsWith(path + "/")));
    }
}
