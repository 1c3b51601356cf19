package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
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

    private static Manifest transfer(long publisher, long id, String... paths) {
        return transfer("t", publisher, id, paths);
    }

    private static Manifest transfer(String topic, long publisher, long id, String... paths) {
        return new Manifest(
                key(publisher, id), id, new Topic(topic), TransferKind.FILE, paths[0], List.of(paths), 1, 16, Map.of());
    }

    @Test
    void publishersDoNotWaitForEachOther() {
        order.register(transfer(1, 1, "a"), 1);
        order.register(transfer(2, 2, "a"), 2);

        assertThat(order.mustWait(transfer(2, 2, "a"), 2)).isFalse();
    }

    @Test
    void topicsDoNotWaitForEachOther() {
        order.register(transfer("t", 1, 1, "a"), 1);

        assertThat(order.mustWait(transfer("u", 1, 2, "a"), 2)).isFalse();
        assertThat(order.mustWait(transfer("t", 1, 3, "a"), 3)).isTrue();
        assertThat(order.release(transfer("u", 1, 2, "a"), 2)).isEmpty();
        assertThat(order.release(transfer("t", 1, 1, "a"), 1)).containsExactly(key(1, 3));
    }

    @Test
    void namesThatOnlyBeginAlikeDoNotConflict() {
        order.register(transfer(1, 1, "dir"), 1);

        for (String path : List.of("dir-1", "dir.txt", "dir0", "di", "other/dir")) {
            assertThat(order.mustWait(transfer(1, 2, path), 2)).as(path).isFalse();
        }
    }

    @Test
    void eachOfSeveralPathsHoldsItsPlace() {
        order.register(transfer(1, 1, "from", "to/x"), 1);

        assertThat(order.mustWait(transfer(1, 2, "to"), 2)).isTrue();
        assertThat(order.mustWait(transfer(1, 3, "from"), 3)).isTrue();
        assertThat(order.release(transfer(1, 1, "from", "to/x"), 1)).containsExactlyInAnyOrder(key(1, 2), key(1, 3));
    }

    @Test
    void askingTwiceWakesOnce() {
        order.register(transfer(1, 1, "a"), 1);
        order.mustWait(transfer(1, 2, "a"), 2);
        order.mustWait(transfer(1, 2, "a"), 2);

        assertThat(order.release(transfer(1, 1, "a"), 1)).containsExactly(key(1, 2));
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
                tested.register(transfer(1, number, path), number);
                live.put(number, path);
                waiting.add(number);
            }
            while (!live.isEmpty()) {
                List<Long> free = new ArrayList<>();
                for (long number : waiting) {
                    boolean blocked = isBlocked(live, number);
                    assertThat(tested.mustWait(transfer(1, number, live.get(number)), number))
                            .as("round %d, number %d of %s", round, number, live)
                            .isEqualTo(blocked);
                    if (!blocked) {
                        free.add(number);
                    }
                }
                long done = free.get(random.nextInt(free.size()));
                String path = live.remove(done);
                waiting.remove(done);
                tested.release(transfer(1, done, path), done);
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
