package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a local store on a real disk, whose log must not die and which keeps no buffer. */
abstract class LocalStoreOnDisk {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);

    @SuppressWarnings("NullAway.Init") // see open
    LocalStore store;

    @SuppressWarnings("NullAway.Init") // see open
    StoreDriver driver;

    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();
    private int epoch;

    abstract LocalStoreConfig config();

    Storage storage() {
        return new DiskStorage();
    }

    @BeforeEach
    void open() throws StorageException {
        store = LocalStore.open(storage(), directory, ++epoch, config(), pool, loop, fatal::add);
        driver = new StoreDriver(store, pool);
    }

    @AfterEach
    void end() {
        store.close();
        loop.shutdown();
        assertThat(fatal).isEmpty();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }
}
