package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.broker.store.MemoryStore;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random work on the local store and on the model at the same time, with segments so small that the cleaner is always at it;
 * between lives something happens to the index. Both always say the same.
 */
class LocalStoreModelTest {
    private static final long SEGMENT_BYTES = 160 << 10;
    private static final int SEEDS = Integer.getInteger("hawser.store.seeds", 3);
    private static final int LIVES = 7;
    private static final int STEPS_PER_LIFE = 100;

    @TempDir
    Path directory;

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 8);
    private final ExecutorService loop = Executors.newSingleThreadExecutor(task -> new Thread(task, "test-loop"));
    private final List<StorageException> fatal = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        loop.shutdown();
        assertThat(fatal).isEmpty();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    /** What may happen to the index while the store is down. */
    private enum Mishap {
        NONE,
        DELETED,
        EMPTY,
        CUT,
        ZEROED,
        GARBAGE,
        FLIPPED,
        ROLLED_BACK
    }

    private static final List<Mishap> MISHAPS = List.of(Mishap.values());

    @Test
    void theStoreAgreesWithTheModelWhateverHappensToTheIndex() throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new History(seed, directory.resolve("seed" + seed)).run();
        }
    }

    private final class History {
        private final long seed;
        private final Random random;
        private final Path data;
        private final MemoryStore model = new MemoryStore(pool, loop);
        private final StoreDriver modelDriver = new StoreDriver(model, pool);
        private final List<String> subscriptions = new ArrayList<>();
        private StoreDriver driver = modelDriver;
        private long transfers;
        private int names;

        History(long seed, Path data) {
            this.seed = seed;
            this.random = new Random(seed);
            this.data = data;
        }

        void run() throws Exception {
            for (int life = 1; life <= LIVES; life++) {
                LocalStoreConfig config = LocalStoreConfig.defaults()
                        .withSegments(SEGMENT_BYTES, random.nextInt(2))
                        .withHeadRoom(1 << 20)
                        .withFewChanges(life % 2 == 0 ? 0 : 256);
                try (LocalStore store =
                        LocalStore.open(new DiskStorage(), data, life, config, pool, loop, fatal::add)) {
                    driver = new StoreDriver(store, pool);
                    compare(store, "at the beginning of life " + life);
                    for (int step = 0; step < STEPS_PER_LIFE; step++) {
                        act();
                        if (step == STEPS_PER_LIFE / 2) {
                            keepCopyOfIndex();
                        }
                    }
                    compare(store, "at the end of life " + life);
                }
                indexIsTheFoldOfTheLog(life);
                befall(life == 1 ? Mishap.ROLLED_BACK : MISHAPS.get(random.nextInt(MISHAPS.size())));
            }
        }

        /** I9, row by row. */
        private void indexIsTheFoldOfTheLog(long life) throws StorageException {
            List<String> found = new ArrayList<>();
            Findings findings = new Findings(
                    finding -> {
                        if (finding.severity() == Finding.Severity.DAMAGE) {
                            found.add(finding.kind() + " " + finding.place() + " " + finding.meaning());
                        }
                    },
                    bytes -> {});
            new BrokerCheck()
                    .check(new CheckContext(
                            new DiskStorage(), data, life, false, directory.resolve("scratch"), findings));
            assertThat(found).as("seed %d life %d", seed, life).isEmpty();
            assertThat(findings.counts()).containsKey("rows of the index");
        }

        private void compare(LocalStore store, String when) {
            StoreAnswers expected = StoreAnswers.of(model, modelDriver, (int) transfers);
            assertThat(StoreAnswers.of(store, driver, (int) transfers))
                    .as("seed %d %s", seed, when)
                    .isEqualTo(expected);
        }

        private void both(RelayRecord record) {
            modelDriver.append(record);
            driver.append(record);
        }

        private void act() {
            switch (random.nextInt(18)) {
                case 0 -> subscribe();
                case 1 -> {
                    if (random.nextInt(4) == 0 && !subscriptions.isEmpty()) {
                        String gone = subscriptions.remove(random.nextInt(subscriptions.size()));
                        both(new RelayRecord.Unsubscribed(gone, StoreDriver.TOPIC, System.currentTimeMillis()));
                    }
                }
                case 2, 3 -> {
                    int size = random.nextInt(20_000);
                    String[] set = deliverySet();
                    transfers++;
                    modelDriver.putSmall(transfers, size, set);
                    driver.putSmall(transfers, size, set);
                }
                case 4 -> open();
                case 5, 6 -> fragment();
                case 7 -> commit();
                case 8 -> {
                    TransferKey key = anyKey();
                    if (modelDriver.lookup(key).state() == io.hawser.core.hop.StoredTransfer.State.OPEN
                            && random.nextInt(4) == 0) {
                        both(
                                random.nextBoolean()
                                        ? new RelayRecord.Cancelled(key, "test")
                                        : new RelayRecord.Forgotten(key, "test"));
                    }
                }
                case 9 -> expire();
                default -> progress();
            }
        }

        /** Some transfer that nobody has claimed; of one that somebody has, it changes nothing. */
        private void expire() {
            for (int attempt = 0; attempt < 5; attempt++) {
                TransferKey key = anyKey();
                KeptTransfer kept = modelDriver.lookup(key).transfer();
                if (kept != null && kept.commit() != null) {
                    both(new RelayRecord.Expired(key, "nobody came", System.currentTimeMillis()));
                    return;
                }
            }
        }

        private void subscribe() {
            if (subscriptions.size() < 3) {
                String name = "s" + ++names;
                StartAt start = random.nextBoolean() ? StartAt.NOW : StartAt.EARLIEST;
                both(new RelayRecord.Subscribed(StoreDriver.spec(name, start), subscriptions.isEmpty()));
                subscriptions.add(name);
            }
        }

        private String[] deliverySet() {
            return subscriptions.toArray(String[]::new);
        }

        private TransferKey anyKey() {
            return StoreDriver.key(1 + random.nextInt((int) transfers + 1));
        }

        private void open() {
            transfers++;
            long size = random.nextBoolean() ? 3L * FRAGMENT_BYTES + random.nextInt(1000) : Manifest.UNKNOWN_SIZE;
            both(new RelayRecord.Opened(StoreDriver.manifest(transfers, size)));
        }

        /** The next missing fragment, or one too many, of some transfer that is open. */
        private void fragment() {
            for (int attempt = 0; attempt < 5; attempt++) {
                TransferKey key = anyKey();
                KeptTransfer kept = modelDriver.lookup(key).transfer();
                if (kept != null && kept.commit() == null) {
                    long index = random.nextInt(3);
                    long number = kept.manifest().number();
                    modelDriver.fragment(number, index, FRAGMENT_BYTES);
                    driver.fragment(number, index, FRAGMENT_BYTES);
                    return;
                }
            }
        }

        private void commit() {
            for (long number = 1; number <= transfers; number++) {
                KeptTransfer kept = modelDriver.lookup(StoreDriver.key(number)).transfer();
                if (kept != null && kept.commit() == null && kept.durable().containsAll(0, 2)) {
                    long size = kept.manifest().sizeBytes();
                    if (size < 0) {
                        size = kept.durable().firstMissing(0) * FRAGMENT_BYTES;
                    } else if (kept.durable().firstMissing(0) < 3) {
                        continue;
                    } else {
                        int last = (int) (size - 3L * FRAGMENT_BYTES);
                        if (last > 0) {
                            modelDriver.fragment(number, 3, last);
                            driver.fragment(number, 3, last);
                        }
                    }
                    both(new RelayRecord.Committed(
                            StoreDriver.key(number), StoreDriver.commit(size), List.of(deliverySet())));
                    return;
                }
            }
        }

        /** Some subscription gets further with what it is owed, or some publisher takes its receipts. */
        private void progress() {
            if (!subscriptions.isEmpty() && random.nextBoolean()) {
                String name = subscriptions.get(random.nextInt(subscriptions.size()));
                List<TransferKey> owed = modelDriver.owed(name);
                if (!owed.isEmpty()) {
                    TransferKey key = owed.get(random.nextInt(owed.size()));
                    switch (random.nextInt(4)) {
                        case 0 -> receipt(key, name, ReceiptStatus.LANDED);
                        case 1 -> both(new RelayRecord.Settled(key, name));
                        default -> {
                            both(new RelayRecord.Settled(key, name));
                            receipt(key, name, ReceiptStatus.DELIVERED);
                        }
                    }
                }
                return;
            }
            List<RelayStore.KeptReceipt> receipts = modelDriver.receipts();
            for (RelayStore.KeptReceipt kept : receipts) {
                if (kept.receipt().status().isFinal() && random.nextInt(3) > 0) {
                    both(new RelayRecord.ReceiptAcked(
                            kept.receipt().key(), kept.receipt().subscription()));
                }
            }
        }

        private void receipt(TransferKey key, String name, ReceiptStatus status) {
            modelDriver.receipt(key, name, status);
            driver.receipt(key, name, status);
        }

        private Path indexFile() {
            return data.resolve("index").resolve("index.mv.db");
        }

        private Path oldIndexFile() {
            return data.resolve("index.old");
        }

        private void keepCopyOfIndex() throws IOException {
            Files.copy(indexFile(), oldIndexFile(), StandardCopyOption.REPLACE_EXISTING);
        }

        private void befall(Mishap mishap) throws IOException {
            Path file = indexFile();
            switch (mishap) {
                case NONE -> {}
                case DELETED -> Files.delete(file);
                case EMPTY -> Files.write(file, new byte[0]);
                case CUT -> {
                    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                        open.setLength(open.length() / 2);
                    }
                }
                case ZEROED -> Files.write(file, new byte[(int) Files.size(file)]);
                case GARBAGE -> {
                    byte[] bytes = new byte[(int) Files.size(file)];
                    random.nextBytes(bytes);
                    Files.write(file, bytes);
                }
                case FLIPPED -> flipSentinel(file);
                case ROLLED_BACK -> Files.copy(oldIndexFile(), file, StandardCopyOption.REPLACE_EXISTING);
            }
        }

        /** Flips a bit in each copy of the sentinel's row, which holds the log's id as text. */
        private void flipSentinel(Path file) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            byte[] id = Files.readString(data.resolve("log/log.id")).strip().getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < bytes.length - id.length - 8; i++) {
                if (Arrays.equals(bytes, i, i + id.length, id, 0, id.length)) {
                    bytes[i + id.length + 1 + random.nextInt(6)] ^= 1;
                }
            }
            Files.write(file, bytes);
        }
    }
}
