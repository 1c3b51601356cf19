package io.hawser.store.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
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
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.testkit.StoppedLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pins version 2 of what agent-a, the Java API and {@code hawser send} keep on disk: the bodies of the journal, the slots, and a whole
 * directory with a small transfer, a large one and one that broke off.
 */
class SpoolGoldenTest {
    static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    static final Commit COMMIT = new Commit(4097, 2, new TransferDigest(4096, new byte[32]));
    static final Manifest MANIFEST = new Manifest(
            KEY,
            7,
            new Topic("site-b"),
            TransferKind.FILE,
            "in/\u00fc",
            List.of("in/\u00fc", "other"),
            Manifest.UNKNOWN_SIZE,
            4096,
            Map.of("mtime", "12", "x-a", ""));
    private static final byte[] SMALL = "a small one".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LARGE = marked(3 * UploadRequest.MIN_FRAGMENT_SIZE_BYTES + 20);
    private static final byte[] BROKEN = marked(2 * UploadRequest.MIN_FRAGMENT_SIZE_BYTES + 20);

    @TempDir
    Path directory;

    /** Mostly zeroes, so that the golden text is short. */
    private static byte[] marked(int length) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at += 1000) {
            bytes[at] = (byte) (at / 1000 + 1);
        }
        return bytes;
    }

    static Map<String, SpoolRecord> records() {
        Map<String, SpoolRecord> all = new LinkedHashMap<>();
        all.put("OPENED", new SpoolRecord.Opened(MANIFEST, null));
        all.put(
                "OPENED_SOURCE",
                new SpoolRecord.Opened(MANIFEST, new SourceFingerprint("/a b", 9, -5, "(dev=1,ino=2)")));
        all.put("SMALL", new SpoolRecord.Small(MANIFEST, COMMIT));
        all.put("COMMITTED", new SpoolRecord.Committed(KEY, COMMIT));
        all.put("SUSPENDED", new SpoolRecord.Suspended(KEY, 99, "gone"));
        all.put("RESUMED", new SpoolRecord.Resumed(KEY));
        all.put("CANCELLED", new SpoolRecord.Cancelled(KEY, new Refusal(ErrorCode.SOURCE_CHANGED, "changed"), true));
        all.put("BROKERED", new SpoolRecord.Brokered(KEY, List.of("one", "two")));
        all.put("RECEIPT", new SpoolRecord.Receipted(KEY, new Receipt(KEY, "one", ReceiptStatus.FAILED, "why", 5)));
        all.put("REFUSED", new SpoolRecord.Refused(KEY, new Refusal(ErrorCode.NOT_ALLOWED, "no right")));
        all.put("ENDED", new SpoolRecord.Ended(KEY));
        all.put("LOST", new SpoolRecord.Lost(KEY));
        all.put("RECALLED", new SpoolRecord.Recalled(KEY, "not needed"));
        all.put("STEERED", new SpoolRecord.Steered(KEY, true, 9));
        all.put("SETTLED", new SpoolRecord.Settled(KEY, new Receipt(KEY, "one", ReceiptStatus.DELIVERED, "", 6)));
        all.put("HIGH_WATER", new SpoolRecord.HighWater(1L << 40));
        return all;
    }

    @Test
    void recordsOfTheJournalAreWrittenAndReadAsVersionTwoHasThem() throws Exception {
        Map<String, byte[]> written = new LinkedHashMap<>();
        records().forEach((name, record) -> {
            written.put(SpoolRecordKinds.KINDS.number(record) + "_" + name, SpoolRecordKinds.KINDS.encode(record));
        });
        Golden.assertWritten(SpoolGoldenTest.class, "v2/spool-records.txt", written);
        for (Map.Entry<String, byte[]> line :
                Golden.read(SpoolGoldenTest.class, "v2/spool-records.txt").entrySet()) {
            String[] words = line.getKey().split("_", 2);
            SpoolRecord expected = records().get(words[1]);
            LogRecord record = RecordKindsContract.logged(Integer.parseInt(words[0]), expected.key(), line.getValue());
            assertThat(SpoolRecordKinds.KINDS.decode(record)).isEqualTo(expected);
        }
    }

    @Test
    void aSlotOfALaterVersionIsRefusedAndNotTakenForNone() throws Exception {
        ByteBuffer slot = ByteBuffer.allocate(LeafSlot.LENGTH_BYTES);
        new LeafSlot(5, 4096, 7, new byte[32]).putInto(slot, KEY);
        byte[] bytes = slot.array();
        ByteBuffer key =
                ByteBuffer.allocate(32).putLong(1).putLong(2).putLong(3).putLong(4);
        CRC32C sum = new CRC32C();
        bytes[7] = 2;
        sum.update(key.flip());
        sum.update(bytes, 0, LeafSlot.LENGTH_BYTES - 4);
        slot.putInt(LeafSlot.LENGTH_BYTES - 4, (int) sum.getValue());

        assertThatThrownBy(() -> LeafSlot.read(slot, 0, KEY, 5))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("version 2");
    }

    /** Makes the directory, once for all time. */
    private static void makeGolden(Path place) throws Exception {
        try (SpoolFixture it = new SpoolFixture(place, SpoolFixture.config()).started()) {
            it.sendSmall("small", SMALL).outcome();
            Upload large = it.begin(SpoolFixture.tiny("large"));
            it.write(large, LARGE, 0);
            it.finish(large, LARGE.length).get();
            Upload broken = it.begin(SpoolFixture.tiny("broken"));
            it.write(broken, BROKEN, 0).forEach(Answer::value);
            it.run(() -> broken.abandon("the client has gone"));
            it.awaitPhase(broken.manifest().key(), SpoolPhase.INCOMPLETE);
        }
        Files.deleteIfExists(place.resolve("lock"));
        Golden.keepDirectory(SpoolGoldenTest.class, "v2/spool.txt", place);
    }

    @Test
    void aDirectoryOfVersionTwoIsReadAndGoesOn() throws Exception {
        if (Golden.makesNew()) {
            makeGolden(directory.resolve("new"));
        }
        Path place = directory.resolve("old");
        Golden.unpack(SpoolGoldenTest.class, "v2/spool.txt", place);

        try (SpoolFixture it = new SpoolFixture(place, SpoolFixture.config()).started()) {
            assertThat(it.content(it.keyOf("small"))).isEqualTo(SMALL);
            assertThat(it.content(it.keyOf("large"))).isEqualTo(LARGE);
            TransferSnapshot broken = it.state(it.keyOf("broken"));
            assertThat(broken.phase()).isEqualTo(SpoolPhase.INCOMPLETE);
            assertThat(broken.durableBytes()).isEqualTo(BROKEN.length);
            assertThat(Files.readString(place.resolve("epoch"))).isEqualTo("2\n");
        }
    }

    @Test
    void aRecordOfALaterVersionIsRefusedAndNothingIsLost() throws Exception {
        Map<String, byte[]> before = Golden.unpack(SpoolGoldenTest.class, "v2/spool.txt", directory);
        StoppedLog journal = new StoppedLog(new DiskStorage(), directory.resolve("journal"), 1 << 20);
        journal.append(1, 100, KEY, new byte[] {3});
        int records = journal.count();

        assertThatThrownBy(() -> new SpoolFixture(directory, SpoolFixture.config()))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("kind 100")
                .hasMessageContaining("later version of Hawser");
        assertThat(journal.count()).isEqualTo(records).isGreaterThan(3);
        for (Map.Entry<String, byte[]> file : before.entrySet()) {
            if (file.getKey().startsWith("data/")) {
                assertThat(directory.resolve(file.getKey())).hasBinaryContent(file.getValue());
            }
        }
    }
}
