package io.hawser.it.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoreAnswers;
import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.local.BrokerCheck;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NamePattern;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the reference reads of a broker's log is what the store says when it is opened again, and what it said at its end, whatever happened
 * to its index; and the index is the fold of the log, row by row.
 */
class ReferenceRelayTest extends ReferenceLives {
    private static final int LIVES = 6;
    private static final int STEPS = 120;
    private static final List<String> NAMES = List.of("one", "two", "three");
    private static final List<ReceiptStatus> STATUSES = List.of(ReceiptStatus.values());
    private static final List<NodeId> MEMBERS = List.of(new NodeId(7, 1), new NodeId(7, 2));

    @TempDir
    Path root;

    private Path directory = Path.of("");
    private final FragmentBufferPool pool = new FragmentBufferPool(StoreDriver.FRAGMENT_BYTES, 8);
    private final Map<String, SubscriptionSpec> subscriptions = new TreeMap<>();
    private final Set<Long> open = new TreeSet<>();
    private @Nullable StoreAnswers last;
    private int answered;
    private int life;
    private long transfers;
    private long oldest;

    ReferenceRelayTest() {
        super(Path.of("set for each seed"), 3, LIVES, 17);
    }

    @Override
    void begin(long seed) {
        directory = root.resolve("seed" + seed);
        log = directory.resolve("log");
        life = 0;
        transfers = 0;
        oldest = 1;
        last = null;
        open.clear();
        subscriptions.clear();
    }

    @Override
    void life(String name, ReferenceLog left) throws Exception {
        ReferenceRelay expected = ReferenceRelayRecords.of(left.records());
        life++;
        try (StoreLoop loop = new StoreLoop();
                BrokerStore store = open(loop)) {
            StoreDriver driver = new StoreDriver(store, pool);
            assertThat(loop.<RelayComparison>ask(
                                    done -> RelayComparison.ask(store, keys(), found -> done.accept(Outcome.of(found))))
                            .get()
                            .differences(expected, Set.of()))
                    .as(name)
                    .isEmpty();
            if (last != null) {
                assertThat(StoreAnswers.of(store, driver, answered)).as(name).isEqualTo(last);
            }
            for (int step = 0; step < STEPS; step++) {
                step(driver);
                if (step % 8 == 0) {
                    finishOldest(driver);
                }
                if (step == STEPS / 2) {
                    Files.copy(indexFile(), oldIndexFile(), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            if (life % 2 == 0 && life < LIVES) {
                letTheCleanerWork(store);
            }
            answered = (int) transfers;
            last = StoreAnswers.of(store, driver, answered);
            for (int number = 0; number < 3; number++) { // not waited for
                store.append(new RelayRecord.Opened(StoreDriver.manifest(++transfers, -1)), done -> {});
            }
            end(3);
        }
        assertIndexIsTheFoldOfTheLog(name);
    }

    private List<TransferKey> keys() {
        return LongStream.rangeClosed(1, transfers).mapToObj(StoreDriver::key).toList();
    }

    /** H2 writes the index to a real disk by itself. */
    private Storage disk() {
        return Interposed.inside(directory.resolve("index"), new DiskStorage(), storage);
    }

    private BrokerStore open(StoreLoop loop) throws StorageException {
        LocalStoreConfig config = LocalStoreConfig.defaults()
                .withSegments(512 << 10, 0)
                .withHeadRoom(1 << 20)
                .withFewChanges(life % 2 == 0 ? 0 : 256);
        return LocalStore.open(disk(), directory, life, config, pool, loop.executor(), cause -> {});
    }

    /** It begins some time after a start, and how far it comes is its own affair. */
    private static void letTheCleanerWork(BrokerStore store) throws InterruptedException {
        for (int tries = 0; tries < 30 && store.sizes().segments() > 6; tries++) {
            Thread.sleep(50);
        }
    }

    private void assertIndexIsTheFoldOfTheLog(String name) throws StorageException {
        List<String> found = new ArrayList<>();
        Findings findings = new Findings(
                finding -> {
                    if (finding.severity() == Finding.Severity.DAMAGE) {
                        found.add(finding.kind() + " " + finding.place() + " " + finding.meaning());
                    }
                },
                bytes -> {});
        new BrokerCheck()
                .check(new CheckContext(disk(), directory, life, false, directory.resolve("scratch" + life), findings));
        assertThat(found).as(name).isEmpty();
        assertThat(findings.counts()).containsKey("rows of the index");
    }

    private Path indexFile() {
        return directory.resolve("index/index.mv.db");
    }

    private Path oldIndexFile() {
        return directory.resolve("index.old");
    }

    /** To the index. */
    @Override
    void befall() throws Exception {
        Path file = indexFile();
        if (life == 0) {
            return;
        }
        switch (life == 1 ? 7 : random.nextInt(8)) {
            case 0 -> Files.delete(file);
            case 1 -> Files.write(file, new byte[0]);
            case 2 -> Files.write(file, Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) / 2));
            case 3 -> Files.write(file, new byte[(int) Files.size(file)]);
            case 4 -> {
                byte[] garbage = new byte[(int) Files.size(file)];
                random.nextBytes(garbage);
                Files.write(file, garbage);
            }
            case 5 -> flipSentinel(file);
            case 6 -> {}
            default -> Files.copy(oldIndexFile(), file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Flips a bit in each copy of the sentinel's row, which holds the log's id as text. */
    private void flipSentinel(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        byte[] id = new String(storage.readAll(log.resolve("log.id")), StandardCharsets.US_ASCII)
                .strip()
                .getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes.length - id.length - 8; i++) {
            if (Arrays.equals(bytes, i, i + id.length, id, 0, id.length)) {
                bytes[i + id.length + 1 + random.nextInt(6)] ^= 1;
            }
        }
        Files.write(file, bytes);
    }

    private void step(StoreDriver driver) {
        TransferKey any = StoreDriver.key(Math.max(1, transfers - random.nextInt(30)));
        String name = NAMES.get(random.nextInt(NAMES.size()));
        switch (random.nextInt(20)) {
            case 0 -> subscribe(driver, name);
            case 1 -> {
                if (random.nextInt(3) == 0 && subscriptions.remove(name) != null) {
                    driver.append(new RelayRecord.Unsubscribed(name, StoreDriver.TOPIC, 4711 + transfers));
                }
            }
            case 2, 3 -> open(driver);
            case 4 -> driver.putSmall(++transfers, random.nextInt(30_000), deliverySet());
            case 5, 6, 7 -> goOn(driver);
            case 8 ->
                driver.append(
                        random.nextBoolean()
                                ? new RelayRecord.Cancelled(any, "not wanted")
                                : new RelayRecord.Forgotten(any, "no space"));
            case 9 -> driver.append(new RelayRecord.Expired(any, "nobody came", 815));
            case 10 -> driver.append(new RelayRecord.Permitted(any, name, MEMBERS.get(random.nextInt(MEMBERS.size()))));
            case 11, 12, 13 -> driver.append(new RelayRecord.Settled(any, name));
            case 14, 15, 16 ->
                driver.append(new RelayRecord.ReceiptKept(new Receipt(
                        any, name, STATUSES.get(random.nextInt(STATUSES.size())), "why", random.nextInt(100))));
            default -> acknowledge(driver, any);
        }
    }

    /** Most end some time, so that segments are deleted; every seventh stays. */
    private void finishOldest(StoreDriver driver) {
        for (; oldest < transfers - 15; oldest++) {
            KeptTransfer kept = driver.lookup(StoreDriver.key(oldest)).transfer();
            if (kept == null || oldest % 7 == 0) {
                continue;
            }
            TransferKey key = kept.manifest().key();
            if (kept.deliverySet().isEmpty()) {
                driver.append(new RelayRecord.Cancelled(key, "too old"));
            }
            kept.deliverySet().forEach(name -> driver.finish(key, name));
            kept.owed().forEach(name -> driver.append(new RelayRecord.Settled(key, name)));
        }
    }

    private void acknowledge(StoreDriver driver, TransferKey key) {
        for (RelayStore.KeptReceipt kept : driver.receipts()) {
            Receipt receipt = kept.receipt();
            if (receipt.status().isFinal() && (receipt.key().equals(key) || random.nextInt(4) == 0)) {
                driver.append(new RelayRecord.ReceiptAcked(receipt.key(), receipt.subscription()));
            }
        }
    }

    private String[] deliverySet() {
        return subscriptions.keySet().toArray(String[]::new);
    }

    private void open(StoreDriver driver) {
        open.add(++transfers);
        driver.append(new RelayRecord.Opened(StoreDriver.manifest(transfers, 2L * StoreDriver.FRAGMENT_BYTES + 9)));
    }

    private void goOn(StoreDriver driver) {
        if (open.isEmpty()) {
            return;
        }
        long number = new ArrayList<>(open).get(random.nextInt(open.size()));
        if (random.nextInt(3) > 0) {
            int index = random.nextInt(3);
            driver.fragment(number, index, index == 2 ? 9 : StoreDriver.FRAGMENT_BYTES);
            return;
        }
        if (random.nextInt(3) > 0) {
            open.remove(number); // else a repair comes
        }
        driver.append(new RelayRecord.Committed(
                StoreDriver.key(number),
                StoreDriver.commit(2L * StoreDriver.FRAGMENT_BYTES + 9),
                List.of(deliverySet())));
    }

    private void subscribe(StoreDriver driver, String name) {
        GroupRoster roster = GroupRoster.NONE;
        if (random.nextBoolean()) {
            roster = roster.with("w1", new GroupRoster.Member(MEMBERS.get(0), "CN=w1"))
                    .with("w2", new GroupRoster.Member(MEMBERS.get(1), ""));
            roster = random.nextBoolean() ? roster : roster.withLost("w1");
        }
        ReplayFilter replay = random.nextInt(3) > 0
                ? ReplayFilter.ALL
                : new ReplayFilter(random.nextInt(2), Optional.of(new NamePattern("dir/file *" + random.nextInt(10))));
        SubscriptionSpec spec = new SubscriptionSpec(
                name,
                StoreDriver.TOPIC,
                StoreDriver.CONSUMER,
                random.nextBoolean() ? StartAt.NOW : StartAt.EARLIEST,
                random.nextBoolean() ? AckLevel.DURABLE : AckLevel.CONSUMED,
                new SubscriptionTerms(
                        random.nextInt(3), random.nextInt(3), replay, Optional.empty(), 1 + random.nextInt(9)),
                roster,
                Ownership.of(random.nextBoolean() ? "CN=x" : "").since(random.nextInt(5)));
        driver.append(new RelayRecord.Subscribed(spec, subscriptions.isEmpty()));
        subscriptions.put(name, spec);
    }
}
