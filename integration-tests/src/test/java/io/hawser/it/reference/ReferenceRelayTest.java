package io.hawser.it.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.broker.store.local.LocalStore;
import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FragmentRanges;
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
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reference reads of a broker's log is what the store says when it is opened again, with its index or without. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReferenceRelayTest {
    private static final int LIVES = 6;
    private static final int STEPS = 120;
    private static final List<String> NAMES = List.of("one", "two", "three");
    private static final List<ReceiptStatus> STATUSES = List.of(ReceiptStatus.values());
    private static final List<NodeId> MEMBERS = List.of(new NodeId(7, 1), new NodeId(7, 2));

    @TempDir
    Path root;

    private FaultyStorage disk = new FaultyStorage();
    private final FragmentBufferPool pool = new FragmentBufferPool(StoreDriver.FRAGMENT_BYTES, 8);
    private final Map<String, SubscriptionSpec> subscriptions = new TreeMap<>();
    private final Set<Long> open = new TreeSet<>();
    private final Set<Integer> kinds = new HashSet<>();
    private Random random = new Random();
    private long segmentsDeleted;
    private long transfers;
    private long oldest = 1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void agreesAfterEachEndOfTheProcess(long seed) throws Exception {
        random = new Random(seed);
        disk = new FaultyStorage();
        Path directory = root.resolve("seed" + seed);
        transfers = 0;
        oldest = 1;
        open.clear();
        subscriptions.clear();
        for (int life = 1; life <= LIVES; life++) {
            Path log = directory.resolve("log");
            ReferenceRelay expected = ReferenceRelayRecords.read(disk, log);
            List<ReferenceRecord> records = ReferenceLog.read(disk, log).records();
            note(records);
            if (random.nextBoolean()) {
                Files.deleteIfExists(directory.resolve("index/index.mv.db"));
            }
            try (StoreLoop loop = new StoreLoop();
                    BrokerStore store = open(directory, life, loop)) {
                StoreDriver driver = new StoreDriver(store, pool);
                assertThat(ReferenceDifference.between(expected(expected), found(store, driver)))
                        .as("seed %d life %d", seed, life)
                        .isEmpty();
                for (int step = 0; step < STEPS; step++) {
                    step(driver);
                    if (step % 8 == 0) {
                        finishOldest(driver);
                    }
                }
                if (life % 2 == 0) {
                    letTheCleanerWork(store);
                }
                for (int number = 0; number < 3; number++) { // not waited for
                    store.append(new RelayRecord.Opened(StoreDriver.manifest(++transfers, -1)), done -> {});
                }
                switch (random.nextInt(3)) {
                    case 0 -> disk.kill();
                    case 1 -> disk.powerCut(random.nextLong());
                    default -> {}
                }
            }
        }
    }

    /** Seeds may differ in what they come to. */
    @AfterAll
    void allKindsOfRecordsWereSeenAndSegmentsWereDeleted() {
        assertThat(kinds).contains(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
        assertThat(segmentsDeleted).isGreaterThan(3);
    }

    private void note(List<ReferenceRecord> records) {
        records.forEach(record -> kinds.add(record.kind()));
        segmentsDeleted = records.isEmpty()
                ? segmentsDeleted
                : Math.max(segmentsDeleted, records.get(0).segment() - 1);
    }

    /** H2 writes the index to a real disk by itself. */
    private BrokerStore open(Path directory, int life, StoreLoop loop) throws StorageException {
        Storage real = new DiskStorage();
        Storage both = (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    boolean ofIndex = arguments != null
                            && arguments[0] instanceof Path path
                            && path.startsWith(directory.resolve("index"));
                    try {
                        return method.invoke(ofIndex ? real : disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        LocalStoreConfig config = LocalStoreConfig.defaults()
                .withSegments(512 << 10, 0)
                .withHeadRoom(1 << 20)
                .withFewChanges(0);
        return LocalStore.open(both, directory, life, config, pool, loop.executor(), cause -> {});
    }

    /** It begins some time after a start, and how far it comes is its own affair. */
    private static void letTheCleanerWork(BrokerStore store) throws InterruptedException {
        for (int tries = 0; tries < 30 && store.sizes().segments() > 6; tries++) {
            Thread.sleep(50);
        }
    }

    private static Map<String, String> expected(ReferenceRelay relay) {
        Map<String, String> all = new TreeMap<>();
        relay.tombstones.keySet().forEach(key -> all.put(key.toString(), "GONE"));
        relay.transfers.forEach((key, transfer) -> {
            Map<String, Receipt> receipts = new TreeMap<>();
            transfer.receipts.forEach((name, kept) -> {
                receipts.put(name, kept.receipt());
                all.put(key + " " + name, "kept as " + kept.sequence());
            });
            all.put(
                    key.toString(),
                    (transfer.commit == null ? "OPEN " : "COMMITTED ") + transfer.manifest + " "
                            + (transfer.keepsBytes() ? transfer.durable : "") + " " + transfer.commit + " "
                            + transfer.commitSequence + " " + transfer.deliverySet + " " + transfer.owed + " "
                            + transfer.permits + " " + receipts + " " + transfer.acknowledged);
        });
        relay.subscriptions.forEach((name, spec) -> all.put(name, spec.toString()));
        return all;
    }

    private Map<String, String> found(BrokerStore store, StoreDriver driver) {
        Map<String, String> all = new TreeMap<>();
        for (long number = 1; number <= transfers; number++) {
            TransferKey key = StoreDriver.key(number);
            RelayStore.Lookup lookup = driver.lookup(key);
            KeptTransfer kept = lookup.transfer();
            if (kept != null) {
                StoredTransferStatus status = StoreDriver.await(done -> store.transfer(key, done));
                boolean released = kept.commit() != null
                        && !kept.deliverySet().isEmpty()
                        && kept.owed().isEmpty();
                FragmentRanges durable = kept.durable();
                Map<String, Receipt> receipts = new TreeMap<>(status.receipts());
                receipts.keySet().removeAll(status.acknowledged()); // until they are written to the index
                all.put(
                        key.toString(),
                        lookup.state() + " " + kept.manifest() + " " + (released ? "" : durable) + " " + kept.commit()
                                + " " + kept.commitSequence() + " " + new TreeSet<>(kept.deliverySet()) + " "
                                + new TreeSet<>(kept.owed()) + " " + new TreeMap<>(kept.permits()) + " "
                                + receipts + " " + new TreeSet<>(status.acknowledged()));
            } else if (lookup.state() != StoredTransfer.State.ABSENT) {
                all.put(key.toString(), lookup.state().toString());
            }
        }
        driver.receipts()
                .forEach(kept -> all.put(
                        kept.receipt().key() + " " + kept.receipt().subscription(), "kept as " + kept.sequence()));
        List<SubscriptionSpec> specs = StoreDriver.await(done -> store.subscriptions(done));
        specs.forEach(spec -> all.put(spec.name(), spec.toString()));
        return all;
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
