package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.MemoryStore;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.TransferKey;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store on a disk that dies: what was acked is there afterwards, with an index or without. */
class LocalStoreCrashTest {
    private static final int SEEDS = Integer.getInteger("hawser.store.seeds", 4);
    private static final int LIVES = 5;

    @TempDir
    Path directory;

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        loop.shutdown();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    private LocalStore open(FaultyStorage storage, Path data, long epoch) throws StorageException {
        LocalStoreConfig config = LocalStoreConfig.defaults()
                .withSegments(512 << 10, 0)
                .withHeadRoom(1 << 20)
                .withFewChanges(0);
        return LocalStore.open(
                TestStorage.withIndexOnDisk(storage, data.resolve("index")),
                data,
                epoch,
                config,
                pool,
                loop,
                fatal::add);
    }

    @Test
    void whatWasAckedIsThereAfterAnyPowerCut() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            FaultyStorage storage = new FaultyStorage();
            Path data = directory.resolve("seed" + seed);
            MemoryStore model = new MemoryStore(pool, loop);
            StoreDriver modelDriver = new StoreDriver(model, pool);
            int transfers = 0;
            for (int life = 1; life <= LIVES; life++) {
                try (LocalStore store = open(storage, data, life)) {
                    StoreDriver driver = new StoreDriver(store, pool);
                    assertThat(StoreAnswers.of(store, driver, transfers))
                            .as("seed %d life %d", seed, life)
                            .isEqualTo(StoreAnswers.of(model, modelDriver, transfers));
                    transfers = work(driver, modelDriver, random, life, transfers);
                    storage.powerCut(random.nextLong()); // and only then the close, which fails
                }
                if (random.nextBoolean()) {
                    Files.deleteIfExists(data.resolve("index/index.mv.db"));
                }
            }
        }
    }

    private static int work(StoreDriver driver, StoreDriver model, Random random, int life, int before) {
        int transfers = before;
        if (life == 1) {
            model.subscribe("one", StartAt.NOW, true);
            driver.subscribe("one", StartAt.NOW, true);
        }
        for (int i = random.nextInt(12); i >= 0; i--) {
            transfers++;
            long size = random.nextInt(3 * FRAGMENT_BYTES);
            model.put(transfers, size, "one");
            driver.put(transfers, size, "one");
            if (random.nextBoolean()) {
                TransferKey key = key(1 + random.nextInt(transfers));
                model.finish(key, "one");
                driver.finish(key, "one");
            }
        }
        return transfers;
    }

    @Test
    void afterAFailedForceEveryAppendIsRefusedAndTheNodeIsTold() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        try (LocalStore store = open(storage, directory, 1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.append(new RelayRecord.Opened(manifest(1, 1000)));
            storage.failCall(2, Fault.EIO, false);
            int refused = 0;
            for (int i = 2; i < 6; i++) {
                try {
                    driver.append(new RelayRecord.Opened(manifest(i, 1000)));
                } catch (StoreDriver.RefusedException e) {
                    refused++;
                }
            }
            assertThat(refused).isEqualTo(4);
            assertThat(fatal).hasSize(1);
        }
        storage.powerCut(7);
        try (LocalStore store = open(storage, directory, 2)) {
            StoreDriver driver = new StoreDriver(store, pool);
            assertThat(driver.lookup(key(1)).transfer()).isNotNull();
            assertThat(driver.lookup(key(3)).transfer()).isNull();
        }
    }

    @Test
    void appendsInFlightWhenTheDiskDiesAreAllAnsweredAndTheirBuffersComeBack() throws Exception {
        FaultyStorage storage = new FaultyStorage();
        CountDownLatch answered = new CountDownLatch(6);
        try (LocalStore store = open(storage, directory, 1)) {
            StoreDriver driver = new StoreDriver(store, pool);
            driver.append(new RelayRecord.Opened(manifest(1, 6L * FRAGMENT_BYTES)));
            storage.failCall(3, Fault.SHORT, true);
            for (int i = 0; i < 6; i++) {
                Fragment fragment = driver.newFragment(1, i, FRAGMENT_BYTES);
                store.appendFragment(fragment, outcome -> answered.countDown());
                fragment.buffer().release();
            }
            assertThat(answered.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }
}
