package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.broker.store.StoreDriver;
import io.hawser.broker.store.local.BrokerTombstones.Tombstone;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Golden;
import io.hawser.store.log.LogPosition;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.StoppedLog;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pins version 2 of the broker's records: their bodies, and a log that holds some of each. */
class StoreGoldenTest {
    private static final TransferKey KEY = StoreDriver.key(1);
    private static final long SEGMENT_BYTES = 1 << 20;
    private static final String CARRIED = RecordKind.TRANSFER_CARRIED + "_TRANSFER_CARRIED";
    private static final ReplicaRecord DELIVERY = new ReplicaRecord(
            KEY,
            "one",
            StoreDriver.TOPIC,
            TransferKind.RENAME,
            "from",
            "to",
            300,
            StoreDriver.commit(300).digest(),
            55,
            66);
    private static final SubscriptionSpec ON_TERMS = new SubscriptionSpec(
            "one",
            StoreDriver.TOPIC,
            StoreDriver.CONSUMER,
            StartAt.EARLIEST,
            AckLevel.DURABLE,
            new SubscriptionTerms(3_600_000, 5_000_000, ReplayFilter.ALL));
    private static final SubscriptionSpec SHARED = ON_TERMS.with(GroupRoster.NONE
            .with("w0", new GroupRoster.Member(new NodeId(5, 6), ""))
            .withLost("w0")
            .with("w1", new GroupRoster.Member(new NodeId(7, 8), ""))
            .with("w2", new GroupRoster.Member(new NodeId(9, 10), "")));
    private static final SubscriptionSpec PREFERRED = StoreDriver.spec("one", StartAt.NOW)
            .with(new SubscriptionTerms(0, 0, ReplayFilter.ALL, Optional.empty(), 9));
    private static final SubscriptionSpec OWNED =
            ON_TERMS.with(new Ownership("CN=berlin,OU=agent-b,O=Hawser", 1_700_000_000_000L, false));
    private static final SubscriptionSpec RELEASED = StoreDriver.spec("one", StartAt.NOW)
            .with(Ownership.of("CN=berlin").since(5).release());
    private static final SubscriptionSpec SHARED_BY_SUBJECTS = SHARED.with(
                    SHARED.roster().with("w2", new GroupRoster.Member(new NodeId(9, 10), "CN=w2,OU=agent-b")))
            .with(Ownership.NONE.since(5));
    /** In each way that a subscription can be. */
    private static final Map<String, SubscriptionSpec> SPECS = new TreeMap<>(Map.of(
            "ON_TERMS", ON_TERMS,
            "OWNED", OWNED,
            "PREFERRED", PREFERRED,
            "RELEASED", RELEASED,
            "SHARED", SHARED_BY_SUBJECTS));

    private static final Deliveries.Body DELIVERIES = new Deliveries.Body();

    static {
        DELIVERIES.add(DELIVERY);
    }

    @TempDir
    Path directory;

    private static Map<String, byte[]> records() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        put(all, "OPENED", new RelayRecord.Opened(StoreDriver.manifest(1, 300)));
        all.put(RecordKind.FRAGMENT + "_FRAGMENT", RecordCodec.fragment(77));
        all.put(
                RecordKind.SMALL + "_SMALL",
                RecordCodec.small(77, StoreDriver.manifest(1, 300), StoreDriver.commit(300), List.of("one")));
        put(all, "COMMITTED", new RelayRecord.Committed(KEY, StoreDriver.commit(300), List.of("one", "two")));
        put(all, "CANCELLED", new RelayRecord.Cancelled(KEY, "why"));
        put(all, "SUBSCRIBED", new RelayRecord.Subscribed(StoreDriver.spec("one", StartAt.EARLIEST), true));
        put(all, "UNSUBSCRIBED", new RelayRecord.Unsubscribed("one", StoreDriver.TOPIC, 88));
        put(all, "SETTLED", new RelayRecord.Settled(KEY, "one"));
        put(all, "RECEIPT_KEPT", new RelayRecord.ReceiptKept(new Receipt(KEY, "one", ReceiptStatus.FAILED, "why", 99)));
        put(all, "RECEIPT_ACKED", new RelayRecord.ReceiptAcked(KEY, "one"));
        all.put(CARRIED, carried().toBytes());
        all.put(
                RecordKind.SUBSCRIPTION_CARRIED + "_SUBSCRIPTION_CARRIED",
                RecordCodec.carriedSubscription(StoreDriver.spec("one", StartAt.NOW)));
        BrokerTombstones.Row row = new BrokerTombstones.Row(5, 1);
        row.add(new Tombstone(KEY, 66));
        all.put(RecordKind.TOMBSTONES + "_TOMBSTONES", RecordCodec.tombstones(row));
        put(all, "EXPIRED", new RelayRecord.Expired(KEY, "old", 88));
        put(all, "FORGOTTEN", new RelayRecord.Forgotten(KEY, "why"));
        all.put(RecordKind.DELIVERIES + "_DELIVERIES", DELIVERIES.toBytes(7));
        put(all, "PERMITTED", new RelayRecord.Permitted(KEY, "two", new NodeId(7, 8)));
        put(all, "RECALLED", new RelayRecord.Recalled(KEY, "not needed", List.of("one"), 88));
        put(all, "STEERED", new RelayRecord.Steered(KEY, true, 9));
        SPECS.forEach((name, spec) -> all.put(name, RecordCodec.carriedSubscription(spec)));
        return all;
    }

    private static void put(Map<String, byte[]> all, String name, RelayRecord record) {
        RecordCodec.Encoded encoded = RecordCodec.encode(record, true, 77);
        all.put(encoded.kind() + "_" + name, encoded.body());
    }

    private static IndexedTransfer carried() {
        IndexedTransfer state = new IndexedTransfer(StoreDriver.manifest(1, 300), 1);
        state.openedMillis = 11;
        state.changedMillis = 22;
        state.keptBytes = 300;
        state.durable.add(0);
        state.commit = StoreDriver.commit(300);
        state.commitSequence = 33;
        state.committedMillis = 21;
        state.deliverySet.add("one");
        state.deliverySet.add("two");
        state.owed.add("two");
        state.acknowledged.add("zero");
        state.permits.put("two", new NodeId(7, 8));
        state.receipts.put("one", new KeptReceipt(new Receipt(KEY, "one", ReceiptStatus.LANDED, "", 44), 34));
        return state;
    }

    @Test
    void bodiesAreWrittenAsVersionTwoHasThemAndReadBack() throws Exception {
        Golden.assertWritten(StoreGoldenTest.class, "v2/store-records.txt", records());
        Map<String, byte[]> golden = Golden.read(StoreGoldenTest.class, "v2/store-records.txt");
        IndexedTransfer carried = BodyReader.read(golden.get(CARRIED), in -> IndexedTransfer.read(in, 1));
        assertThat(carried.committedMillis).isEqualTo(21);
        assertThat(carried.permits).isEqualTo(Map.of("two", new NodeId(7, 8)));
        assertThat(carried.toBytes()).isEqualTo(golden.get(CARRIED));
        byte[] tombstones = golden.get("13_TOMBSTONES");
        BrokerTombstones.Row row = BodyReader.read(tombstones, in -> RecordCodec.tombstones(in, 1));
        assertThat(RecordCodec.tombstones(row)).isEqualTo(tombstones);
        assertThat(Deliveries.read(golden.get("16_DELIVERIES"))).containsExactly(DELIVERY);
        assertThat(subscription(golden.get("12_SUBSCRIPTION_CARRIED"))).isEqualTo(StoreDriver.spec("one", StartAt.NOW));
        for (Map.Entry<String, SubscriptionSpec> spec : SPECS.entrySet()) {
            assertThat(subscription(golden.get(spec.getKey()))).isEqualTo(spec.getValue());
        }
    }

    private static SubscriptionSpec subscription(byte[] body) throws StorageException {
        return BodyReader.read(body, BodyReader::subscription);
    }

    /** The index is made again where its format is another, so that a row that is written otherwise needs another {@code H2Index.FORMAT}. */
    @Test
    void aRowOfPlacesIsWrittenAsFormatEightHasIt() throws Exception {
        assertThat(H2Index.FORMAT).isEqualTo(8);
        ExtentPack pack = new ExtentPack(List.of(
                new Extent(5, 2, new LogPosition(2, 8_192), 1_049_088),
                new Extent(7, 1, new LogPosition(2, 4_096), 640),
                new Extent(200, 61, new LogPosition(2, 1L << 40), 1_049_088)));
        Golden.assertWritten(StoreGoldenTest.class, "v2/store-places.txt", Map.of("PLACES", pack.encoded()));
        byte[] golden =
                Golden.read(StoreGoldenTest.class, "v2/store-places.txt").get("PLACES");
        assertThat(ExtentPack.decoded(5, new LogPosition(2, 8_192), golden)).isEqualTo(pack);
    }

    /** Makes the log, once for all time. */
    private void makeGolden(Path place) throws Exception {
        BrokerRun.of(place, 1, SEGMENT_BYTES, driver -> {
            driver.subscribe("one", StartAt.NOW, true);
            driver.subscribe("two", StartAt.NOW, false);
            driver.put(1, 300, "one", "two");
            driver.putSmall(2, 20, "one");
            driver.append(new RelayRecord.Opened(StoreDriver.manifest(3, 600)));
            driver.fragment(3, 0, 600);
            driver.append(new RelayRecord.Opened(StoreDriver.manifest(4, 10)));
            driver.append(new RelayRecord.Cancelled(StoreDriver.key(4), "no more"));
            driver.finish(StoreDriver.key(2), "one");
            driver.append(new RelayRecord.Settled(StoreDriver.key(1), "one"));
            driver.receipt(StoreDriver.key(1), "one", ReceiptStatus.DELIVERED);
            driver.append(new RelayRecord.Unsubscribed("two", StoreDriver.TOPIC, 88));
        });
        Golden.keepDirectory(StoreGoldenTest.class, "v2/store-log.txt", place.resolve("log"));
    }

    @Test
    void aLogOfVersionTwoIsReadWithoutItsIndex() throws Exception {
        if (Golden.makesNew()) {
            makeGolden(directory.resolve("new"));
        }
        Path place = directory.resolve("old");
        Golden.unpack(StoreGoldenTest.class, "v2/store-log.txt", place.resolve("log"));

        BrokerRun.of(place, 2, SEGMENT_BYTES, driver -> {
            assertThat(driver.lookup(StoreDriver.key(3)).state()).isEqualTo(StoredTransfer.State.OPEN);
            assertThat(driver.read(StoreDriver.key(3), 0)).isEqualTo(StoreDriver.content(3, 0, 600));
            assertThat(driver.lookup(StoreDriver.key(2)).state()).isEqualTo(StoredTransfer.State.GONE);
            assertThat(driver.lookup(StoreDriver.key(4)).state()).isEqualTo(StoredTransfer.State.GONE);
            assertThat(driver.receipts())
                    .extracting(kept ->
                            kept.receipt().subscription() + " " + kept.receipt().status())
                    .containsExactlyInAnyOrder("one DELIVERED", "two EXPIRED");
            assertThat(driver.owed("one")).isEmpty();
        });
    }

    @Test
    void aRecordOfALaterVersionIsRefusedAndNothingIsLost() throws Exception {
        Golden.unpack(StoreGoldenTest.class, "v2/store-log.txt", directory.resolve("log"));
        StoppedLog log = new StoppedLog(new DiskStorage(), directory.resolve("log"), SEGMENT_BYTES);
        log.append(1, RecordKind.LAST + 1, KEY, new byte[] {BodyReader.VERSION});
        int records = log.count();

        assertThatThrownBy(() -> BrokerRun.of(directory, 3, SEGMENT_BYTES, driver -> {}))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("kind " + (RecordKind.LAST + 1))
                .hasMessageContaining("newer version");
        assertThat(log.count()).isEqualTo(records).isGreaterThan(12);
    }
}
