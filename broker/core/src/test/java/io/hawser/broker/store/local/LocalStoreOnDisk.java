package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a local store on a real disk, whose log must not die and which keeps no buffer. */
public abstract class LocalStoreOnDisk {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    protected Path directory;

    protected final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);

    @SuppressWarnings("NullAway.Init") // see open
    protected LocalStore store;

    @SuppressWarnings("NullAway.Init") // see open
    protected StoreDriver driver;

    protected final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();
    private int epoch;

    /** With small segments. */
    protected LocalStoreConfig config() {
        return LocalStoreConfig.defaults().withSegments(1 << 20, 0).withHeadRoom(1 << 20);
    }

    protected Storage storage() {
        return new DiskStorage();
    }

    @BeforeEach
    protected void open() throws StorageException {
        store = LocalStore.open(storage(), directory, ++epoch, config(), pool, loop, fatal::add);
        driver = new StoreDriver(store, pool);
    }

    protected void reopen() throws StorageException {
        store.close();
        open();
    }

    /** The next start makes the index again. */
    protected void reopenWithoutIndex() throws IOException {
        store.close();
        Files.delete(indexFile());
        open();
    }

    protected Path indexFile() {
        return directory.resolve("index/index.mv.db");
    }

    @AfterEach
    void end() {
        store.close();
        loop.shutdown();
        assertThat(fatal).isEmpty();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }
}
