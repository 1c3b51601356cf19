package io.hawser.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.broker.store.TransferSearchPage;
import io.hawser.broker.store.local.LocalStoreOnDisk;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.StartAt;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoredTransferSearchTest extends LocalStoreOnDisk {
    private int asked;

    @BeforeEach
    void fill() throws StorageException {
        driver.subscribe("one", StartAt.NOW, true);
        for (int number = 1; number <= 10; number++) {
            driver.put(number, 0, "one");
        }
        reopen(); // all are in the index: what is not there yet is in the first page, however long that is
    }

    private TransferSearchPage page(Predicate<Manifest> wanted, TransferSearchPage.Start start, int rows) {
        asked++;
        return StoreDriver.<TransferSearchPage>await(done -> store.search(wanted, start, rows, done));
    }

    private StoredTransferSearch.Found find(
            Predicate<Manifest> wanted, int limit, int pageRows, long maxRows, LongSupplier nanos) throws IOException {
        return new StoredTransferSearch(this::page, pageRows, maxRows, Duration.ofNanos(5), nanos).find(wanted, limit);
    }

    private static boolean isSearched(Manifest manifest) {
        return manifest.number() >= 0;
    }

    @Test
    void allAreLookedAtAPageAtATime() throws IOException {
        StoredTransferSearch.Found found = find(manifest -> manifest.number() % 5 == 0, 10, 3, 100, () -> 0);

        assertThat(found.transfers()).hasSize(2);
        assertThat(found.searched()).isZero();
        assertThat(asked).isEqualTo(4);
    }

    @Test
    void itStopsWhenEnoughAreFound() throws IOException {
        StoredTransferSearch.Found found = find(StoredTransferSearchTest::isSearched, 4, 3, 100, () -> 0);

        assertThat(found.transfers()).hasSize(4);
        assertThat(found.searched()).isZero();
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void itSaysAfterHowManyItStoppedSinceThereAreTooMany() throws IOException {
        StoredTransferSearch.Found found = find(manifest -> false, 10, 3, 5, () -> 0);

        assertThat(found.transfers()).isEmpty();
        assertThat(found.searched()).isEqualTo(6);
    }

    @Test
    void itSaysAfterHowManyItStoppedSinceItTookTooLong() throws IOException {
        long[] now = {0};
        StoredTransferSearch.Found found = find(manifest -> false, 10, 3, 100, () -> now[0]++ * 3);

        assertThat(found.searched()).isEqualTo(6);
    }

    @Test
    void whatIsFinishedHidesNothingThatIsKept() throws IOException {
        List<StoredTransferStatus> all =
                StoreDriver.<List<StoredTransferStatus>>await(done -> store.transfers(10, done));
        TransferSearchPage.Start second = new TransferSearchPage.Start(1, 0);
        StoredTransferSearch.Pages pages = (wanted, start, rows) -> start.equals(second)
                ? new TransferSearchPage(all.subList(4, 6), all.subList(0, 5), 3, null)
                : new TransferSearchPage(List.of(), all.subList(0, 4), 3, second);

        StoredTransferSearch.Found found = new StoredTransferSearch(pages, 3, 100, Duration.ofNanos(5), () -> 0)
                .find(StoredTransferSearchTest::isSearched, 4);

        assertThat(found.transfers()).hasSize(4).startsWith(all.get(5)).doesNotHaveDuplicates();
        assertThat(found.searched()).isZero();
    }
}
