package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Golden;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.journal.RecordKindsContract;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FormatTooNewException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pins version 2 of the landing directory: the bodies of its journal, and a whole one with a transfer that is half here. */
class LandingGoldenTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    /** One attribute: their order is not part of the format. */
    private static final Manifest MANIFEST = new Manifest(
            KEY,
            9,
            new Topic("t"),
            TransferKind.FILE,
            "d/\u00fc",
            List.of("d/\u00fc", "x"),
            -1,
            1 << 20,
            Map.of("mtime", "5"));

    private static final Commit COMMIT = new Commit(3, 1, new TransferDigest(1 << 20, new byte[32]));
    private static final byte[] HALF = marked(3 * FRAGMENT_BYTES);
    private static final byte[] SMALL = marked(30);
    private static final String LANDING = ".hawser-landing-sub";

    @TempDir
    Path root;

    /** Mostly zeroes, so that the golden text is short. */
    private static byte[] marked(int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at += 1000) {
            bytes[at] = (byte) (at / 1000 + 1);
        }
        return bytes;
    }

    private static Map<String, LandingRecord> records() {
        Map<String, LandingRecord> all = new LinkedHashMap<>();
        all.put("1_OPENED", new LandingRecord.Opened(MANIFEST, 7));
        all.put("2_VERIFIED", new LandingRecord.Verified(MANIFEST, COMMIT, 8));
        all.put("3_ENDED", new LandingRecord.Ended(new Receipt(KEY, "sub", ReceiptStatus.FAILED, "why", 10)));
        all.put("4_ACKED", new LandingRecord.Acked(KEY, 11));
        all.put("5_CANCELLED", new LandingRecord.Cancelled(KEY, 12));
        all.put("6_DROPPED", new LandingRecord.Dropped(KEY));
        all.put(
                "7_PARKED",
                new LandingRecord.Parked(
                        MANIFEST, COMMIT, new DeadLetter(KEY.toString(), MANIFEST.name(), 3, 13, "why", "later")));
        return all;
    }

    @Test
    void everyKindComesBack() throws Exception {
        List<LandingRecord> all = new ArrayList<>(records().values());
        all.add(new LandingRecord.AckedFailure(KEY, 11));
        RecordKindsContract.check(LandingRecordKinds.KINDS, all);
    }

    @Test
    void recordsOfTheJournalAreWrittenAndReadAsVersionTwoHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        records().forEach((name, record) -> written.put(name, LandingRecordKinds.KINDS.encode(record)));
        Golden.assertWritten(LandingGoldenTest.class, "v2/landing-records.txt", written);
        Map<String, byte[]> golden = Golden.read(LandingGoldenTest.class, "v2/landing-records.txt");
        for (Map.Entry<String, LandingRecord> expected : records().entrySet()) {
            int kind = expected.getKey().charAt(0) - '0';
            assertThat(LandingRecordKinds.KINDS.decode(
                            RecordKindsContract.logged(kind, KEY, golden.get(expected.getKey()))))
                    .isEqualTo(expected.getValue());
        }
        assertThatThrownBy(() -> LandingRecordKinds.KINDS.decode(RecordKindsContract.logged(9, KEY, new byte[0])))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("later version of Hawser");
    }

    /** Makes the directory, once for all time. */
    private static void makeGolden(Path place) throws Exception {
        try (LandingRig rig = LandingRig.into(new DiskStorage(), place)) {
            ok(rig.open(LandingRig.file(1, "half", HALF.length)));
            ok(rig.offer(LandingRig.key(1), HALF, 0));
            ok(rig.offer(LandingRig.key(1), HALF, 2));
            ok(rig.small(LandingRig.file(2, "small", SMALL.length), SMALL));
            rig.awaitReceipts(1);
        }
        Files.delete(place.resolve(LANDING).resolve("lock"));
        Golden.keepDirectory(LandingGoldenTest.class, "v2/landing.txt", place);
    }

    @Test
    void aDirectoryOfVersionTwoIsReadAndGoesOn() throws Exception {
        if (Golden.makesNew()) {
            makeGolden(Files.createDirectory(root.resolve("new")));
        }
        Path place = root.resolve("old");
        Golden.unpack(LandingGoldenTest.class, "v2/landing.txt", place);

        try (LandingRig rig = LandingRig.into(new DiskStorage(), place)) {
            assertThat(rig.onLoop(rig.area::pendingReceipts))
                    .extracting(Receipt::key, Receipt::status)
                    .containsExactly(tuple(LandingRig.key(2), ReceiptStatus.DELIVERED));
            FragmentRanges durable = FragmentRanges.of(0, 1);
            durable.add(2);
            assertThat(ok(rig.lookup(LandingRig.key(1))))
                    .isEqualTo(new StoredTransfer(StoredTransfer.State.OPEN, durable));
            ok(rig.offer(LandingRig.key(1), HALF, 1));
            ok(rig.commit(LandingRig.key(1), HALF));
            rig.awaitReceipts(1);
            assertThat(place.resolve("half")).hasBinaryContent(HALF);
        }
    }

    @Test
    void aSidecarOfALaterVersionIsRefusedAndNothingIsChanged() throws Exception {
        Map<String, byte[]> files = Golden.unpack(LandingGoldenTest.class, "v2/landing.txt", root);
        String sidecar = files.keySet().stream()
                .filter(name -> name.endsWith(".leaves"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = files.get(sidecar);
        bytes[7] = 2; // of slot 0
        CRC32C crc = new CRC32C();
        crc.update(LandingRig.key(1)
                .putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES))
                .flip());
        crc.update(bytes, 0, LeafSlot.LENGTH_BYTES - 4);
        ByteBuffer.wrap(bytes).putInt(LeafSlot.LENGTH_BYTES - 4, (int) crc.getValue());
        Files.write(root.resolve(sidecar), bytes);

        assertThatThrownBy(() -> LandingRig.into(new DiskStorage(), root).close())
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("version 2");
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (file.getKey().contains("/files/")) {
                assertThat(root.resolve(file.getKey())).hasBinaryContent(file.getValue());
            }
        }
    }
}
