package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.BrokerStoreContract;
import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on a real disk, with small segments. */
class LocalStoreTest extends BrokerStoreContract {
    private static final long SEGMENT_BYTES = 1 << 20;

    @TempDir
    Path directory;

    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();
    private long epoch;

    @Override
    protected BrokerStore openStore() throws StorageException {
        LocalStoreConfig config =
                LocalStoreConfig.defaults().withSegments(SEGMENT_BYTES, 0).withHeadRoom(1 << 20);
        return LocalStore.open(new DiskStorage(), directory, ++epoch, config, pool, loop, fatal::add);
    }

    /** All receipts of a transfer are in one row, of 1 MiB at most. */
    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void longReceiptsOfManySubscriptionsFitIntoARow() throws Exception {
        String[] names = IntStream.range(0, 600)
                .mapToObj(number -> String.format("%0128d", number))
                .toArray(String[]::new);
        driver.put(1, 10, names);
        for (String name : names) {
            driver.append(
                    new RelayRecord.ReceiptKept(new Receipt(key(1), name, ReceiptStatus.DEAD, "x".repeat(2048), 99)));
        }

        for (int life = 0; life < 2; life++) {
            StoredTransferStatus status = StoreDriver.<StoredTransferStatus>await(done -> store.transfer(key(1), done));
            assertThat(status.receipts()).hasSize(600);
            assertThat(StoreDriver.<List<TransferKey>>await(done -> store.openSince(1, 10, done)))
                    .isEmpty(); // written to the index
            reopen();
        }
    }

    @AfterEach
    void nothingFailed() {
        assertThat(fatal).isEmpty();
    }
}
