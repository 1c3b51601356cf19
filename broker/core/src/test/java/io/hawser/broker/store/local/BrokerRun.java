package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** One run of a broker's store on a real disk: it is opened, used and closed. Thread: the test's. */
final class BrokerRun {
    private BrokerRun() {}

    /** Returns how many records it missed when it was opened. */
    static long of(Path data, long segmentBytes, Consumer<StoreDriver> work) throws StorageException {
        DiskStorage storage = new DiskStorage();
        try (NodeDirectory node = NodeDirectory.open(storage, data, () -> LocalStore.writtenEpoch(storage, data))) {
            return of(data, node.epoch(), segmentBytes, work);
        }
    }

    /** The same in a directory that is no node's. */
    static long of(Path data, long epoch, long segmentBytes, Consumer<StoreDriver> work) throws StorageException {
        FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
        ExecutorService loop = Executors.newSingleThreadExecutor();
        LocalStoreConfig config =
                LocalStoreConfig.defaults().withSegments(segmentBytes, 0).withHeadRoom(1 << 20);
        try (LocalStore store = LocalStore.open(new DiskStorage(), data, epoch, config, pool, loop, cause -> {
            throw new AssertionError(cause);
        })) {
            long lost = store.sizes().lostRecords();
            work.accept(new StoreDriver(store, pool));
            return lost;
        } finally {
            loop.shutdown();
            assertThat(pool.available()).isEqualTo(pool.capacity());
        }
    }
}
