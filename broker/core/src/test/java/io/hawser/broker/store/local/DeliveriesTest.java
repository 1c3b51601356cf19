package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.model.TransferKind;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveriesTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private H2Index index;

    @BeforeEach
    void open() {
        index = H2Index.open(directory);
    }

    @AfterEach
    void close() {
        index.close();
    }

    private static ReplicaRecord delivery(long number) {
        return named(number, "f" + number);
    }

    private static ReplicaRecord named(long number, String name) {
        return new ReplicaRecord(
                StoreDriver.key(number),
                "one",
                StoreDriver.TOPIC,
                TransferKind.FILE,
                name,
                "",
                number,
                StoreDriver.commit(number).digest(),
                number,
                number);
    }

    private List<Long> stored() {
        List<Long> found = new ArrayList<>();
        index.deliveries().each(each -> found.add(each.sequence()));
        return found;
    }

    @Test
    void soManyRowsWaitForTheIndexAndNoMore() {
        Deliveries deliveries = new Deliveries(1_000, 1 << 20, 1);
        for (int i = 1; i < 64; i++) {
            deliveries.add(delivery(i), 1);
        }
        assertThat(deliveries.areManyUnwritten()).isFalse();
        deliveries.add(delivery(64), 1);
        assertThat(deliveries.areManyUnwritten()).isTrue();
        deliveries.flush(index.deliveries());
        assertThat(deliveries.areManyUnwritten()).isFalse();
    }

    /** Each flush had doubled the memory of the row that was being filled. */
    @Test
    void aRowThatIsWrittenAgainAndAgainWhileItFillsTakesNoMoreMemoryThanItsBytes() {
        Deliveries deliveries = new Deliveries();
        for (int i = 1; i <= 60; i++) {
            deliveries.add(delivery(i), 1);
            deliveries.flush(index.deliveries());
        }
        assertThat(stored()).hasSize(60).doesNotHaveDuplicates();
    }

    /** The index and a fold of the log cut their rows otherwise, so they need not forget the same ones. */
    @Test
    void whatOneOfTwoIndexesHasForgottenForItsBytesIsNoDamage() {
        int many = 4_500;
        Deliveries all = new Deliveries();
        Deliveries fewer = new Deliveries();
        for (int i = 1; i <= many; i++) {
            ReplicaRecord delivery = named(i, "n".repeat(4_000) + i);
            all.add(delivery, 1);
            if (i > 10) {
                fewer.add(delivery, 1);
            }
        }
        all.flush(index.deliveries());
        List<Finding> found = new ArrayList<>();
        try (H2Index fold = H2Index.open(directory.resolve("fold"))) {
            fewer.flush(fold.deliveries());
            new IndexComparison(index, fold, directory, new Findings(found::add, bytes -> {})).run();
        }
        assertThat(found).isEmpty();
    }

    @Test
    void theOldestRowsGoFirstWhenThereAreTooMany() {
        Deliveries deliveries = new Deliveries(10, 1 << 20, 3);
        for (int i = 1; i <= 12; i++) {
            deliveries.add(delivery(i), 1);
            if (i % 5 == 0) {
                deliveries.flush(index.deliveries());
            }
        }
        deliveries.flush(index.deliveries());

        assertThat(stored()).containsExactly(4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
    }

    @Test
    void theOldestRowsGoFirstWhenTheyTakeTooMuch() {
        Deliveries deliveries = new Deliveries(1_000, 1_000, 2);
        for (int i = 1; i <= 20; i++) {
            deliveries.add(delivery(i), 1);
        }
        deliveries.flush(index.deliveries());

        assertThat(stored()).hasSizeBetween(3, 8).endsWith(19L, 20L);
    }

    @Test
    void aRowThatIsCarriedForwardNeedsItsOldSegmentNoMoreAndTakesNoneIn() {
        Deliveries deliveries = new Deliveries(10, 1 << 20, 5);
        deliveries.add(delivery(1), 4);
        deliveries.add(delivery(2), 3);
        deliveries.flush(index.deliveries());
        assertThat(deliveries.neededFrom(2, 8)).isEmpty();
        assertThat(deliveries.neededFrom(3, 8)).hasSize(1);
        deliveries.add(delivery(3), 6);

        deliveries.onCarried(1, 7, 5); // made up otherwise: it says nothing
        assertThat(deliveries.neededFrom(3, 8)).hasSize(1);
        deliveries.onCarried(1, 2, 5);
        deliveries.flush(index.deliveries());

        assertThat(deliveries.neededFrom(4, 8)).isEmpty();
        Deliveries loaded = new Deliveries(10, 1 << 20, 5);
        index.deliveries().all().forEach(loaded::load);
        assertThat(loaded.neededFrom(5, 8)).hasSize(1);
        assertThat(loaded.neededFrom(6, 8)).hasSize(2);
        loaded.add(delivery(4), 6);
        loaded.flush(index.deliveries());
        assertThat(stored()).containsExactly(1L, 2L, 3L, 4L);
    }
}
