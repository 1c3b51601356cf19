package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.BrokerStoreContract;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
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

    @AfterEach
    void nothingFailed() {
        assertThat(fatal).isEmpty();
    }
}
