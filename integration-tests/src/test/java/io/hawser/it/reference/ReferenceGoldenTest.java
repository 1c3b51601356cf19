package io.hawser.it.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Golden;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference reads the golden files of every store as those say who wrote them. */
class ReferenceGoldenTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final TransferKey BROKERED = new TransferKey(new NodeId(11, 12), TransferId.of(1_000_001, 1, 1));

    @TempDir
    Path directory;

    private Map<String, byte[]> bodies = Map.of();

    private void bodies(String file) throws IOException {
        bodies = Golden.read(ReferenceGoldenTest.class, "v2/" + file);
    }

    /** Records with the bodies of those lines, in that order. */
    private List<ReferenceRecord> records(TransferKey key, String... names) {
        List<ReferenceRecord> all = new ArrayList<>();
        for (String name : names) {
            int kind = Character.isDigit(name.charAt(0)) ? Integer.parseInt(name.split("_")[0]) : 12;
            byte[] body = Objects.requireNonNull(bodies.get(name), name);
            all.add(new ReferenceRecord(all.size() + 1L, kind, key, 0, body, 1, 0, 0, true));
        }
        return all;
    }

    private static Manifest manifest(
            TransferKey key,
            long number,
            String topic,
            List<String> paths,
            long size,
            int fragment,
            Map<String, String> attributes) {
        return new Manifest(
                key, number, new Topic(topic), TransferKind.FILE, paths.get(0), paths, size, fragment, attributes);
    }

    @Test
    void theExampleOfALog() throws Exception {
        byte[] file = new byte[3 * 4096];
        try (InputStream in =
                ReferenceGoldenTest.class.getResourceAsStream("/golden/v2/log/00000000000000000001.log.hex")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            for (String line : text.strip().split("\n")) {
                byte[] bytes = HexFormat.of().parseHex(line.substring(5).strip().replace(" ", ""));
                System.arraycopy(bytes, 0, file, Integer.parseInt(line.substring(0, 4), 16), bytes.length);
            }
        }
        Files.writeString(directory.resolve("log.id"), "0123456789abcdef0f1e2d3c4b5a6978\n");
        Path segment = directory.resolve("00000000000000000001.log");
        Files.write(segment, file);

        ReferenceLog log = ReferenceLog.read(new DiskStorage(), directory);
        ReferenceRecord record = log.records().get(0);
        assertThat(log.records()).hasSize(1);
        assertThat(log.damages()).isZero();
        assertThat(log.cut()).isEmpty();
        assertThat(record.kind()).isEqualTo(7);
        assertThat(record.key()).isEqualTo(KEY);
        assertThat(record.index()).isEqualTo(5);
        assertThat(record.body()).asString(StandardCharsets.US_ASCII).isEqualTo("hello");
        assertThat(log.payload(record)).asString(StandardCharsets.US_ASCII).isEqualTo("payload");

        byte[] torn = file.clone();
        torn[0x1080] ^= 1; // its body; the seal after it is of the same group
        Files.write(segment, torn);
        assertThat(ReferenceLog.read(new DiskStorage(), directory).cut()).isEqualTo("1-4096");
        byte[] later = file.clone();
        later[9] = 3;
        Files.write(segment, later); // its checksum is wrong: a damaged header hides nothing
        assertThat(ReferenceLog.read(new DiskStorage(), directory).records()).hasSize(1);
    }

    @Test
    void theRecordsOfASpool() throws Exception {
        bodies("spool-records.txt");
        Manifest manifest =
                manifest(KEY, 7, "site-b", List.of("in/ü", "other"), -1, 4096, Map.of("mtime", "12", "x-a", ""));
        Commit commit = new Commit(4097, 2, new TransferDigest(4096, new byte[32]));

        ReferenceSpool.Transfer opened = spool("1_OPENED");
        assertThat(opened.phase).isEqualTo(ReferenceSpool.Phase.RECEIVING);
        assertThat(opened.manifest).isEqualTo(manifest);
        assertThat(opened.source).isEmpty();
        assertThat(spool("1_OPENED_SOURCE").source).isEqualTo("/a b");
        assertThat(spool("1_OPENED", "4_SUSPENDED").phase).isEqualTo(ReferenceSpool.Phase.INCOMPLETE);
        assertThat(spool("1_OPENED", "4_SUSPENDED", "5_RESUMED").phase).isEqualTo(ReferenceSpool.Phase.RECEIVING);
        assertThat(spool("2_SMALL").commit).isEqualTo(commit);
        ReferenceSpool.Transfer committed = spool("1_OPENED", "3_COMMITTED");
        assertThat(committed.phase).isEqualTo(ReferenceSpool.Phase.SPOOLED);
        assertThat(committed.commit).isEqualTo(commit);
        ReferenceSpool.Transfer cancelled = spool("1_OPENED", "6_CANCELLED");
        assertThat(cancelled.phase).isEqualTo(ReferenceSpool.Phase.CANCELLED);
        assertThat(cancelled.refusal).endsWith(" changed");
        assertThat(cancelled.inDoubt).isTrue();
        ReferenceSpool.Transfer brokered = spool("2_SMALL", "7_BROKERED", "8_RECEIPT");
        assertThat(brokered.phase).isEqualTo(ReferenceSpool.Phase.BROKERED);
        assertThat(brokered.deliverySet).containsExactly("one", "two");
        assertThat(brokered.receipts).containsExactly(Map.entry("one", receipt(KEY, ReceiptStatus.FAILED, "why", 5)));
        assertThat(spool("2_SMALL", "7_BROKERED", "12_LOST").phase).isEqualTo(ReferenceSpool.Phase.SPOOLED);
        assertThat(spool("2_SMALL", "9_REFUSED").refusal).endsWith(" no right");
        ReferenceSpool ended = ReferenceSpool.of(records(KEY, "2_SMALL", "10_ENDED", "11_HIGH_WATER"));
        assertThat(ended.transfers()).isEmpty();
        assertThat(ended.highWater()).isEqualTo(1L << 40);
        assertThatThrownBy(() ->
                        ReferenceSpool.of(List.of(new ReferenceRecord(1, 100, KEY, 0, new byte[0], 1, 0, 0, true))))
                .isInstanceOf(StorageException.class);
    }

    private static Receipt receipt(TransferKey key, ReceiptStatus status, String reason, long millis) {
        return new Receipt(key, "one", status, reason, millis);
    }

    private ReferenceSpool.Transfer spool(String... names) throws StorageException {
        return Objects.requireNonNull(
                ReferenceSpool.of(records(KEY, names)).transfers().get(KEY));
    }

    @Test
    void theSpoolDirectory() throws Exception {
        Golden.unpack(ReferenceGoldenTest.class, "v2/spool.txt", directory);

        ReferenceSpool spool = ReferenceSpool.read(new DiskStorage(), directory);

        assertThat(spool.transfers().values())
                .extracting(each -> each.manifest.name() + " " + each.phase + " " + each.leaves.fragments() + " "
                        + each.leaves.bytes())
                .containsExactlyInAnyOrder(
                        "small SPOOLED " + new FragmentRanges() + " 0",
                        "large SPOOLED " + new FragmentRanges() + " 0",
                        "broken INCOMPLETE " + FragmentRanges.of(0, 2) + " " + (2 * 4096 + 20));
    }

    @Test
    void theRecordsOfALandingArea() throws Exception {
        bodies("landing-records.txt");
        Manifest manifest = manifest(KEY, 9, "t", List.of("d/ü", "x"), -1, 1 << 20, Map.of("mtime", "5"));
        Commit commit = new Commit(3, 1, new TransferDigest(1 << 20, new byte[32]));

        assertThat(landing("1_OPENED"))
                .isEqualTo(landing(ReferenceLanding.Phase.OPENED, 7, manifest, null, null, "", ""));
        assertThat(landing("1_OPENED", "2_VERIFIED"))
                .isEqualTo(landing(ReferenceLanding.Phase.VERIFIED, 8, manifest, commit, null, "", ""));
        assertThat(Objects.requireNonNull(landing("2_VERIFIED", "3_ENDED").receipt()))
                .isEqualTo(new Receipt(KEY, "sub", ReceiptStatus.FAILED, "why", 10));
        assertThat(landing("3_ENDED", "4_ACKED"))
                .isEqualTo(ReferenceLanding.Transfer.of(ReferenceLanding.Phase.ACKED, 11));
        assertThat(landing("1_OPENED", "5_CANCELLED"))
                .isEqualTo(ReferenceLanding.Transfer.of(ReferenceLanding.Phase.CANCELLED, 12));
        assertThat(ReferenceLanding.of(records(KEY, "1_OPENED", "6_DROPPED")).transfers())
                .isEmpty();
        assertThat(landing("7_PARKED"))
                .isEqualTo(landing(ReferenceLanding.Phase.PARKED, 13, manifest, commit, null, "why", "later"));
    }

    private static ReferenceLanding.Transfer landing(
            ReferenceLanding.Phase phase,
            long number,
            Manifest manifest,
            @Nullable Commit commit,
            @Nullable Receipt receipt,
            String reason,
            String overtakenBy) {
        return new ReferenceLanding.Transfer(
                phase, number, manifest, commit, receipt, reason, overtakenBy, ReferenceLeaves.none(), false);
    }

    private ReferenceLanding.Transfer landing(String... names) throws StorageException {
        return Objects.requireNonNull(
                ReferenceLanding.of(records(KEY, names)).transfers().get(KEY));
    }

    @Test
    void theLandingDirectory() throws Exception {
        Golden.unpack(ReferenceGoldenTest.class, "v2/landing.txt", directory);

        ReferenceLanding landing = ReferenceLanding.read(new DiskStorage(), directory.resolve(".hawser-landing-sub"));

        FragmentRanges half = FragmentRanges.of(0, 1);
        half.add(2);
        assertThat(landing.transfers().values())
                .extracting(each -> each.phase() + " " + each.leaves().fragments() + " " + each.hasFile())
                .containsExactly("OPENED " + half + " true", "ENDED " + new FragmentRanges() + " false");
    }

    @Test
    void theRecordsOfABroker() throws Exception {
        bodies("store-records.txt");
        Manifest manifest =
                manifest(BROKERED, 1, "site-b", List.of("dir/file 1"), 300, 128 << 10, Map.of("mtime", "12345"));
        Commit commit = new Commit(300, 1, new TransferDigest(128 << 10, new byte[32]));
        ReferenceRelay.Transfer open = relay("1_OPENED", "2_FRAGMENT");
        assertThat(open.manifest).isEqualTo(manifest);
        assertThat(open.durable).isEqualTo(FragmentRanges.of(0, 1));
        assertThat(relay("3_SMALL").owed).containsExactly("one");

        ReferenceRelay.Transfer committed = relay("1_OPENED", "4_COMMITTED", "8_SETTLED", "17_PERMITTED");
        assertThat(committed.commit).isEqualTo(commit);
        assertThat(committed.commitSequence).isEqualTo(2);
        assertThat(committed.deliverySet).containsExactly("one", "two");
        assertThat(committed.owed).containsExactly("two");
        assertThat(committed.permits).containsExactly(Map.entry("two", new NodeId(7, 8)));
        ReferenceRelay.Transfer kept = relay("1_OPENED", "4_COMMITTED", "9_RECEIPT_KEPT");
        assertThat(kept.receipts)
                .containsExactly(
                        Map.entry("one", new KeptReceipt(receipt(BROKERED, ReceiptStatus.FAILED, "why", 99), 3)));
        assertThat(relay("1_OPENED", "4_COMMITTED", "9_RECEIPT_KEPT", "10_RECEIPT_ACKED").acknowledged)
                .containsExactly("one");
        assertThat(relay("3_SMALL", "7_UNSUBSCRIBED").receipts.get("one")).isNotNull();

        assertThat(relay("1_OPENED", "4_COMMITTED", "18_RECALLED").recall).isEqualTo("not needed");

        ReferenceRelay.Transfer carried = relay("11_TRANSFER_CARRIED");
        assertThat(carried)
                .hasToString("COMMITTED " + manifest + " durable=" + FragmentRanges.of(0, 1) + " commit="
                        + commit + "@33 deliverySet=[one, two] owed=[two] permits={two=" + new NodeId(7, 8)
                        + "} receipts={one="
                        + new KeptReceipt(receipt(BROKERED, ReceiptStatus.LANDED, "", 44), 34)
                        + "} acknowledged=[zero] recall=null");
        assertThat(carried.committedMillis).isEqualTo(21);

        for (String end : List.of("5_CANCELLED", "15_FORGOTTEN")) {
            ReferenceRelay ended = ReferenceRelayRecords.of(records(BROKERED, "1_OPENED", end));
            assertThat(ended.transfers).isEmpty();
            assertThat(ended.tombstones.containsKey(BROKERED)).isEqualTo(end.equals("5_CANCELLED"));
        }
        assertThat(ReferenceRelayRecords.of(records(BROKERED, "13_TOMBSTONES", "16_DELIVERIES")).tombstones)
                .containsExactly(Map.entry(BROKERED, 66L));
        assertThat(relay("3_SMALL", "14_EXPIRED").deliverySet).containsExactly("one");
        for (String subscribed : List.of("6_SUBSCRIBED", "12_SUBSCRIPTION_CARRIED", "ON_TERMS", "OWNED", "SHARED")) {
            SubscriptionSpec spec = Objects.requireNonNull(ReferenceRelayRecords.of(records(BROKERED, subscribed))
                    .subscriptions
                    .get("one"));
            assertThat(spec.owner()).isEqualTo(new NodeId(21, 22));
            assertThat(spec.roster().members().size()).isEqualTo(subscribed.equals("SHARED") ? 2 : 0);
        }
    }

    private ReferenceRelay.Transfer relay(String... names) throws StorageException {
        return Objects.requireNonNull(
                ReferenceRelayRecords.of(records(BROKERED, names)).transfers.get(BROKERED));
    }

    @Test
    void theLogOfABroker() throws Exception {
        Golden.unpack(ReferenceGoldenTest.class, "v2/store-log.txt", directory);

        ReferenceRelay relay = ReferenceRelayRecords.read(new DiskStorage(), directory);

        assertThat(relay.subscriptions.keySet()).containsExactly("one");
        assertThat(relay.tombstones.keySet()).extracting(key -> key.id().low()).containsExactly(2L, 4L);
        assertThat(relay.transfers.values())
                .extracting(each -> each.manifest.number() + " " + each.deliverySet + " " + each.owed + " "
                        + each.receipts.keySet() + " " + each.durable)
                .containsExactly(
                        "1 [one, two] [] [one, two] " + FragmentRanges.of(0, 1),
                        "3 [] [] [] " + FragmentRanges.of(0, 1));
    }
}
