package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.TOPIC;
import static io.hawser.broker.store.StoreDriver.commit;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.StartAt;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subscription that is owed very many transfers is removed: people are answered meanwhile, and a crash leaves all of it or nothing. */
class LongRemovalTest {
    /** Some pages of the removal. */
    private static final int TRANSFERS = 1_700;

    private static final long KEPT_FOR_ANOTHER = TRANSFERS + 1;

    @TempDir
    Path directory;

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService tasks = Executors.newSingleThreadExecutor();
    private final IndexGate gate = new IndexGate();
    private long epoch;

    @AfterEach
    void end() {
        gate.open();
        tasks.shutdown();
    }

    /** Stops the index's thread where it gives an answer. */
    private static final class IndexGate {
        private volatile CountDownLatch closed = new CountDownLatch(0);
        private volatile CountDownLatch reached = new CountDownLatch(0);

        void close() {
            reached = new CountDownLatch(1);
            closed = new CountDownLatch(1);
        }

        void open() {
            closed.countDown();
        }

        /** Lets it go on to its next answer. */
        void step() {
            CountDownLatch before = closed;
            close();
            before.countDown();
            awaitReached();
        }

        void pass() {
            if (Thread.currentThread().getName().equals("hawser-index")) {
                CountDownLatch until = closed; // before anybody knows that it is here, and closes the next one
                reached.countDown();
                awaitIt(until);
            }
        }

        void awaitReached() {
            awaitIt(reached);
        }

        private static void awaitIt(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private LocalStore open(Path data) throws StorageException {
        LocalStoreConfig config =
                LocalStoreConfig.defaults().withSegments(4 << 20, 0).withHeadRoom(1 << 20);
        return LocalStore.open(
                new DiskStorage(),
                data,
                ++epoch,
                config,
                pool,
                task -> {
                    gate.pass();
                    tasks.execute(task);
                },
                failure -> {});
    }

    private void fill(LocalStore store, StoreDriver driver) throws Exception {
        driver.subscribe("gone", StartAt.NOW, true);
        driver.subscribe("stays", StartAt.NOW, false);
        tasks.submit(() -> appendAll(store)).get();
        driver.put(TRANSFERS, 0, "gone");
        driver.putSmall(KEPT_FOR_ANOTHER, 100, "stays");
        driver.lookup(key(KEPT_FOR_ANOTHER)); // the index has got that far
    }

    private static void appendAll(LocalStore store) {
        for (int number = 1; number < TRANSFERS; number++) {
            List<String> deliverySet = number % 2 == 0 ? List.of("gone", "stays") : List.of("gone");
            store.append(new RelayRecord.Opened(manifest(number, 0)), outcome -> {});
            store.append(new RelayRecord.Committed(key(number), commit(0), deliverySet), outcome -> {});
        }
    }

    @Test
    @Invariant(InvariantName.DURABLE_ACK)
    void peopleAreAnsweredBetweenItsPagesAndACrashThereLosesNothing() throws Exception {
        Path data = directory.resolve("broker");
        Path afterCrash = directory.resolve("crashed");
        List<String> answered = new CopyOnWriteArrayList<>();
        CountDownLatch read = new CountDownLatch(1);
        StoreAnswers expected;
        try (LocalStore store = open(data)) {
            StoreDriver driver = new StoreDriver(store, pool);
            fill(store, driver);
            gate.close();
            store.transfers(1, outcome -> answered.add("before"));
            gate.awaitReached();
            driver.append(new RelayRecord.Unsubscribed("gone", TOPIC, 5));
            store.lookup(
                    key(1),
                    outcome -> answered.add("relay " + outcome.get().transfer().owed()));
            store.transfers(1, outcome -> answered.add("person"));
            store.subscriptionStatus(outcome -> answered.add(outcome.get().stream()
                    .map(status -> status.spec().name())
                    .toList()
                    .toString()));
            store.read(key(KEPT_FOR_ANOTHER), 0, outcome -> {
                outcome.get().buffer().release();
                read.countDown();
            });
            store.transfers(1, outcome -> answered.add("person"));
            gate.step(); // the first person's answer, between two pages
            copy(data, afterCrash);
            gate.step();
            gate.step(); // the second person's answer
            assertThat(read.await(20, TimeUnit.SECONDS))
                    .as("what others are owed is read meanwhile")
                    .isTrue();
            gate.open();
            expected = StoreAnswers.of(store, driver, 20);
        }
        assertThat(answered).containsExactly("before", "person", "[stays]", "person", "relay []");
        assertThat(expected.receipts()).hasSize(1_000);
        try (LocalStore store = open(afterCrash)) {
            StoreDriver driver = new StoreDriver(store, pool);
            assertThat(StoreAnswers.of(store, driver, 20)).isEqualTo(expected);
        }
        assertThat(afterCrash.resolve("index/index.mv.db.bad")).doesNotExist();
    }

    /** What a crash of the machine at this moment leaves, had all been written that was. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
