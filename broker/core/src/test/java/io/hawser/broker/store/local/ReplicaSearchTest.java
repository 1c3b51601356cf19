package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.Replica;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSearchTest {
    private final List<ReplicaRecord> deliveries = new ArrayList<>();

    private void delivered(String subscription, TransferKind kind, String name, String renamedTo) {
        long number = deliveries.size() + 1L;
        deliveries.add(new ReplicaRecord(
                StoreDriver.key(number),
                subscription,
                StoreDriver.TOPIC,
                kind,
                name,
                renamedTo,
                number,
                StoreDriver.commit(number).digest(),
                number,
                number));
    }

    private void file(String subscription, String name) {
        delivered(subscription, TransferKind.FILE, name, "");
    }

    private void renamed(String name, String renamedTo) {
        delivered("one", TransferKind.RENAME, name, renamedTo);
    }

    private List<Long> numbers(String name) {
        return ReplicaSearch.of(name, deliveries::forEach).stream()
                .map(Replica::deliveredEpochMillis)
                .toList();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void theLastOfVeryManyDeliveriesOfOneNameIsTheCopy() {
        file("two", "f");
        for (int i = 0; i < 60_000; i++) {
            file("one", "f");
        }

        assertThat(numbers("f")).containsExactly(60_001L, 1L);
        Collections.reverse(deliveries);
        assertThat(numbers("f")).containsExactly(60_001L, 1L);
    }

    @Test
    void whatVeryManyRenamesGaveOneNameIsTheLastOne() {
        for (int i = 0; i < 15_000; i++) {
            file("one", "f.part");
            renamed("f.part", "f");
        }

        assertThat(numbers("f")).containsExactly(29_999L);
        assertThat(numbers("f.part")).isEmpty();
    }

    @Test
    void aChainOfRenamesIsFollowed() {
        file("one", "a");
        for (int i = 0; i < 6; i++) {
            renamed("abcdefg".substring(i, i + 1), "abcdefg".substring(i + 1, i + 2));
        }

        assertThat(numbers("g")).containsExactly(1L);
        assertThat(numbers("c")).isEmpty();
    }

    /** An index that was made again may have a delivery twice. */
    @Test
    void aRenameThatIsThereTwiceCountsOnce() {
        file("one", "a");
        renamed("a", "b");
        deliveries.add(deliveries.get(1));

        assertThat(numbers("b")).containsExactly(1L);
        assertThat(numbers("a")).isEmpty();
    }
}
