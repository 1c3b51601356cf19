package io.hawser.broker.store.local;

import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.hop.Fragment;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.ReceiptStatus;
import io.hawser.common.model.StartAt;
import io.hawser.common.model.TransferKey;
import io.hawser.common.relay.RelayRecord;
import io.hawser.common.storage.DiskStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Measures the broker's store by itself: small transfers that are finished at once, small ones that are kept, and how long it
 * takes to open a store with many of them. Arguments: a directory, and how many transfers.
 */
public final class LocalStoreThroughput {
    private static final int SMALL_BYTES = 4 << 10;
    private static final int WINDOW = 512;

    private LocalStoreThroughput() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(args.length > 0 ? args[0] : "."), "store");
        int count = args.length > 1 ? Integer.parseInt(args[1]) : 50_000;
        FragmentBufferPool pool = new FragmentBufferPool(StoreDriver.FRAGMENT_BYTES, 8);
        ExecutorService loop = Executors.newSingleThreadExecutor();
        LocalStore store = open(directory, 1, pool, loop);
        new StoreDriver(store, pool).subscribe("one", StartAt.NOW, true);
        for (int round = 0; round < 3; round++) {
            run(store, pool, loop, 1 + round * (long) count, count, true);
        }
        run(store, pool, loop, 1_000_000_000, count, false);
        store.close();
        long start = System.nanoTime();
        store = open(directory, 2, pool, loop);
        System.out.printf("opened in %d ms%n", (System.nanoTime() - start) / 1_000_000);
        store.close();
        Files.delete(directory.resolve("index/index.mv.db"));
        start = System.nanoTime();
        store = open(directory, 3, pool, loop);
        System.out.printf("opened without an index in %d ms%n", (System.nanoTime() - start) / 1_000_000);
        store.close();
        loop.shutdown();
    }

    private static LocalStore open(Path directory, long epoch, FragmentBufferPool pool, ExecutorService loop)
            throws Exception {
        return LocalStore.open(
                new DiskStorage(),
                directory,
                epoch,
                LocalStoreConfig.defaults(),
                pool,
                loop,
                Throwable::printStackTrace);
    }

    private static void run(
            LocalStore store, FragmentBufferPool pool, ExecutorService loop, long first, int count, boolean finish)
            throws Exception {
        Semaphore window = new Semaphore(WINDOW);
        Fragment sample = new StoreDriver(store, pool).newFragment(1, 0, SMALL_BYTES);
        long start = System.nanoTime();
        for (long number = first; number < first + count; number++) {
            window.acquire();
            TransferKey key = StoreDriver.key(number);
            Fragment fragment = new Fragment(key, 0, SMALL_BYTES, sample.crc32c(), sample.leaf(), sample.buffer(), 0);
            long n = number;
            loop.execute(() -> store.appendSmall(
                    StoreDriver.manifest(n, SMALL_BYTES),
                    fragment,
                    StoreDriver.commit(SMALL_BYTES),
                    List.of("one"),
                    put -> settle(store, key, finish, window)));
        }
        window.acquire(WINDOW);
        double seconds = (System.nanoTime() - start) / 1e9;
        int subscriptions = StoreDriver.<List<SubscriptionStatus>>await(store::subscriptionStatus)
                .size();
        double applied = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%s: %.0f small transfers a second, %.0f through the index, %d subscription%n",
                finish ? "finished" : "kept", count / seconds, count / applied, subscriptions);
        sample.buffer().release();
    }

    private static void settle(LocalStore store, TransferKey key, boolean finish, Semaphore window) {
        if (!finish) {
            window.release();
            return;
        }
        store.append(new RelayRecord.ReceiptKept(new Receipt(key, "one", ReceiptStatus.DELIVERED, "", 1)), kept -> {});
        store.append(new RelayRecord.ReceiptAcked(key, "one"), acked -> window.release());
    }
}
