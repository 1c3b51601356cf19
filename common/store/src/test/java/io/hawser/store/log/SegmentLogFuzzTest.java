package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Edits;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A log's directory after whatever a disk may do to it. Opening it gives a log or a {@link StorageException}; what the log shows was
 * written once, byte for byte, in its order; a second opening shows the same; and nothing is allocated by a length that was not
 * checked (the heap of the tests is small).
 */
class SegmentLogFuzzTest {
    private static final Path DIRECTORY = Path.of("/data/log");
    private static final Path SEGMENT = DIRECTORY.resolve("00000000000000000001.log");
    private static final LogId ID = new LogId(5, 6);
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final int BULK_BYTES = 9_000;
    private static final List<RecordHeader> HEADERS = new ArrayList<>();
    private static final byte[] SOUND = sound();

    /** Small records in two groups, a bulk record, a small one, a padding, room that was not written. */
    private static byte[] sound() {
        ByteBuffer file = ByteBuffer.allocate(40 << 10);
        file.put(new SegmentHeader(ID, 1, 1, 1, false).toBlock());
        PackedGroup group = new PackedGroup(ID, 8 * LogFormat.BLOCK_BYTES);
        group.begin(1, file.position(), 1, 1);
        add(group, 1, "one", "");
        add(group, 2, "two", "payload of two");
        add(group, 3, "", "x".repeat(300));
        group.pad(4);
        file.put(group.bytes());
        putBulk(file);
        group.begin(1, file.position(), 1, 6);
        add(group, 6, "six", "");
        add(group, 7, "seven", "7");
        group.pad(8);
        file.put(group.bytes());
        return file.array();
    }

    private static void add(PackedGroup group, long sequence, String body, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.US_ASCII);
        HEADERS.add(group.add(
                (int) sequence,
                sequence,
                sequence % 2 == 0 ? KEY : null,
                sequence,
                new byte[LogFormat.LEAF_BYTES],
                body.getBytes(StandardCharsets.US_ASCII),
                ByteBuffer.wrap(bytes),
                Crc32c.of(bytes)));
    }

    private static void putBulk(ByteBuffer file) {
        int at = file.position();
        byte[] body = {9};
        byte[] payload = new byte[BULK_BYTES];
        Arrays.fill(payload, (byte) 3);
        RecordHeader header = new RecordHeader(
                5,
                LogFormat.FLAG_BULK | LogFormat.FLAG_KEYED,
                5,
                1,
                5,
                body.length,
                payload.length,
                KEY,
                5,
                new byte[LogFormat.LEAF_BYTES],
                Crc32c.of(body),
                Crc32c.of(payload),
                new LogPosition(1, at));
        HEADERS.add(header);
        header.write(file, at, ID);
        file.put(at + LogFormat.RECORD_HEADER_BYTES, body);
        file.put(at + LogFormat.BLOCK_BYTES, payload);
        file.position((int) (at + header.lengthBytes()));
    }

    /** Any bytes as the only segment, behind a sound header or not. */
    @FuzzTest(maxDuration = "2m")
    void segment(byte[] data) throws StorageException {
        open(data);
        byte[] behindHeader = Arrays.copyOf(SOUND, LogFormat.BLOCK_BYTES + data.length);
        System.arraycopy(data, 0, behindHeader, LogFormat.BLOCK_BYTES, data.length);
        open(behindHeader);
    }

    /** What is damaged is not shown, and nothing else is shown instead. */
    @FuzzTest(maxDuration = "2m")
    void damaged(byte[] data) throws StorageException {
        for (int unit : new int[] {1, 16}) {
            List<LogRecord> records = open(Edits.apply(SOUND, data, unit, at -> {}));
            if (records != null) {
                checkGenuine(records);
            }
        }
    }

    /** The same where each header's checksum is right again, as from a program that writes nonsense. */
    @FuzzTest(maxDuration = "2m")
    void forged(byte[] data) throws StorageException {
        byte[] bytes = Edits.apply(SOUND, data, 1, at -> {});
        ByteBuffer file = ByteBuffer.wrap(bytes);
        for (RecordHeader header : HEADERS) {
            int at = (int) header.position().offset();
            if (at + LogFormat.RECORD_HEADER_BYTES <= bytes.length) {
                CRC32C crc = ID.seededCrc();
                crc.update(bytes, at, LogFormat.HEADER_CRC_OFFSET);
                file.putInt(at + LogFormat.HEADER_CRC_OFFSET, (int) crc.getValue());
            }
        }
        open(bytes);
    }

    private static void checkGenuine(List<LogRecord> records) {
        long before = 0;
        for (LogRecord record : records) {
            assertThat(record.sequence()).isGreaterThan(before);
            before = record.sequence();
            RecordHeader genuine = HEADERS.stream()
                    .filter(header -> header.sequence() == record.sequence())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("never written: " + record));
            assertThat(record)
                    .usingRecursiveComparison()
                    .ignoringFields("body")
                    .isEqualTo(genuine.toRecord(record.body()));
            assertThat(Crc32c.of(record.body())).isEqualTo(genuine.bodyCrc32c());
        }
    }

    /** What a log with this segment shows, twice the same; null if it refuses. */
    private static List<LogRecord> open(byte[] segment) throws StorageException {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(DIRECTORY);
        put(storage, SEGMENT, segment);
        put(storage, DIRECTORY.resolve("log.id"), (ID + "\n").getBytes(StandardCharsets.US_ASCII));
        List<LogRecord> first;
        try {
            first = read(storage, 9);
        } catch (StorageException e) {
            return null;
        }
        assertThat(read(storage, 10)).usingRecursiveComparison().isEqualTo(first);
        return first;
    }

    /** What {@link SegmentLog} does with a directory when it is opened and read, without its threads. */
    private static List<LogRecord> read(FaultyStorage storage, long epoch) throws StorageException {
        LogConfig config =
                LogConfig.of(DIRECTORY, epoch, "writer", TestRuntime.threads()).withSegments(256 << 10, 0);
        LogRecovery.Recovered recovered =
                new LogRecovery(new SegmentFiles(storage, DIRECTORY), config, damage -> {}).recover();
        SegmentCatalog catalog = new SegmentCatalog();
        recovered.segments().forEach(catalog::add);
        List<LogRecord> records = new ArrayList<>();
        for (LogSegment segment : recovered.segments()) {
            try (StorageFile file = storage.open(segment.path(), OpenMode.READ, FileIoMode.DIRECT)) {
                new SegmentScanner(file, segment.header(), false, epoch, damage -> {})
                        .scan(0, Long.MAX_VALUE, true, records::add);
            }
        }
        try (SegmentHandles handles = new SegmentHandles(storage, catalog)) {
            RecordLookup reader = new RecordLookup(recovered.id(), catalog, handles);
            for (LogRecord record : records) {
                assertThat(reader.read(record.position(), 0, null).body()).isEqualTo(record.body());
            }
        }
        return records;
    }

    private static void put(FaultyStorage storage, Path path, byte[] bytes) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force(true);
        }
    }
}
