package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.TestRuntime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentLogTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final long SMALL_SEGMENT_BYTES = 64 << 10;

    @TempDir
    Path directory;

    private final FragmentBufferPool pool = new FragmentBufferPool(256 << 10, 4);
    private final List<LogRecord> observed = new ArrayList<>();

    @Test
    void recordsComeBackInOrderWithTheirBodies() throws Exception {
        try (SegmentLog log = open(1)) {
            append(log, 1, "first");
            append(log, 2, "second");
        }
        try (SegmentLog log = open(2)) {
            append(log, 3, "third");

            assertThat(replay(log, LogPosition.START)).containsExactly("1:first", "2:second", "3:third");
        }
        assertThat(observed.stream().map(SegmentLogTest::text)).containsExactly("1:first", "2:second", "3:third");
        assertThat(observed.stream().map(LogRecord::sequence)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aFragmentIsReadBackWithItsPayloadLeafAndIndex() throws Exception {
        byte[] large = LogOnDisk.random(200_001);
        byte[] small = LogOnDisk.random(5_000);
        try (SegmentLog log = open(1)) {
            LogPosition bulk = appendFragment(log, 7, large, "manifest");
            LogPosition packed = appendFragment(log, 8, small, "m");

            assertPayload(log, bulk, large, 7, "manifest");
            assertPayload(log, packed, small, 8, "m");
            assertThat(bulk.offset() % LogFormat.BLOCK_BYTES).isZero();
        }
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    @Test
    void theLogGoesOnInTheNextSegmentWhenOneIsFull() throws Exception {
        List<String> expected = new ArrayList<>();
        try (SegmentLog log = openSmall(1)) {
            for (int i = 0; i < 60; i++) {
                append(log, 1, "record " + i + "x".repeat(5_000));
                expected.add("1:record " + i + "x".repeat(5_000));
            }
            assertThat(log.segments()).hasSizeGreaterThan(4);
            assertThat(replay(log, LogPosition.START)).isEqualTo(expected);
        }
        try (SegmentLog log = openSmall(2)) {
            assertThat(replay(log, LogPosition.START)).isEqualTo(expected);
            assertThat(log.damages().all()).isEmpty();
        }
    }

    @Test
    void replayBeginsWhereItIsAsked() throws Exception {
        try (SegmentLog log = openSmall(1)) {
            append(log, 1, "a");
            append(log, 1, "b");
            log.roll();
            append(log, 1, "c");

            LogPosition second = observed.get(1).position();
            assertThat(replay(log, second)).containsExactly("1:b", "1:c");
            assertThat(replay(log, log.end())).isEmpty();
        }
    }

    @Test
    void aDeletedSegmentIsGoneAndItsFileIsUsedAgainWithoutItsOldRecords() throws Exception {
        LogConfig config =
                LogConfig.of(directory, 1, "writer", TestRuntime.threads()).withSegments(SMALL_SEGMENT_BYTES, 1);
        try (SegmentLog log = SegmentLog.open(new DiskStorage(), config, observed::addAll, cause -> {})) {
            append(log, 1, "x".repeat(20_000));
            LogPosition gone = observed.get(0).position();
            for (int i = 0; i < 30; i++) {
                append(log, 1, "y" + i + "y".repeat(5_000));
            }
            for (SegmentInfo segment : log.segments()) {
                log.deleteSegment(segment.number());
            }
            assertThat(log.segments()).hasSize(1);
            assertThatThrownBy(() -> log.read(gone)).isInstanceOf(PathMissingException.class);
            log.roll();
            append(log, 1, "fresh");
        }
        try (SegmentLog log = openSmall(2)) {
            assertThat(replay(log, LogPosition.START)).endsWith("1:fresh").noneMatch(text -> text.startsWith("1:x"));
            assertThat(log.damages().all()).isEmpty();
        }
    }

    @Test
    void aFlippedBitIsDetectedWhereverItIs() throws Exception {
        byte[] payload = LogOnDisk.random(100_000);
        LogPosition position;
        Path segment;
        try (SegmentLog log = open(1)) {
            position = appendFragment(log, 0, payload, "body");
            segment = directory.resolve("00000000000000000001.log");
        }
        for (long place : new long[] {8, 40, 70, 100, 126, 130, 4096, 50_000, 4096 + 99_999}) {
            flip(segment, position.offset() + place);
            try (SegmentLog log = open(2)) {
                FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
                assertThatThrownBy(() -> log.read(position, payload.length, buffer))
                        .isInstanceOf(CorruptRecordException.class)
                        .hasMessageContaining("at " + position.offset());
                buffer.release();
            }
            flip(segment, position.offset() + place);
        }
        try (SegmentLog log = open(3)) {
            assertPayload(log, position, payload, 0, "body");
        }
    }

    @Test
    void damageInTheMiddleIsReportedAndWhatIsBehindItIsStillRead() throws Exception {
        try (SegmentLog log = open(1)) {
            append(log, 1, "a");
            append(log, 1, "b");
            append(log, 1, "c");
        }
        flip(
                directory.resolve("00000000000000000001.log"),
                observed.get(1).position().offset() + 20);

        try (SegmentLog log = open(2)) {
            assertThat(replay(log, LogPosition.START)).containsExactly("1:a", "1:c");
            assertThat(log.damages().all()).isNotEmpty();
            assertThat(log.damages().all().get(0).position())
                    .isEqualTo(observed.get(1).position());
        }
    }

    @Test
    void aClosedLogRefusesAppends() throws Exception {
        SegmentLog log = open(1);
        log.close();
        CompletableFuture<LogPosition> done = new CompletableFuture<>();

        log.append(1, null, 0, new byte[1], LogOnDisk.completing(done));

        assertThat(done).isCompletedExceptionally();
    }

    @Test
    void manyAppendsShareAForce() throws Exception {
        List<Integer> groups = new ArrayList<>();
        LogConfig config = LogConfig.of(directory, 1, "writer", TestRuntime.threads());
        try (SegmentLog log =
                SegmentLog.open(new DiskStorage(), config, records -> groups.add(records.size()), cause -> {})) {
            CompletableFuture<LogPosition> last = new CompletableFuture<>();
            for (int i = 0; i < 2_000; i++) {
                last = new CompletableFuture<>();
                log.append(1, KEY, i, new byte[100], LogOnDisk.completing(last));
            }
            last.get();
        }
        assertThat(groups.stream().mapToInt(Integer::intValue).sum()).isEqualTo(2_000);
        assertThat(groups).hasSizeLessThan(500);
    }

    private SegmentLog open(long epoch) throws StorageException {
        LogConfig config =
                LogConfig.of(directory, epoch, "writer", TestRuntime.threads()).withSegments(1 << 20, 0);
        return SegmentLog.open(new DiskStorage(), config, observed::addAll, cause -> {});
    }

    private SegmentLog openSmall(long epoch) throws StorageException {
        LogConfig config =
                LogConfig.of(directory, epoch, "writer", TestRuntime.threads()).withSegments(SMALL_SEGMENT_BYTES, 0);
        return SegmentLog.open(new DiskStorage(), config, observed::addAll, cause -> {});
    }

    private static void append(SegmentLog log, int kind, String body) throws Exception {
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        log.append(kind, KEY, 0, body.getBytes(StandardCharsets.UTF_8), LogOnDisk.completing(done));
        done.get();
    }

    /** Payloads of older segments are not read at a start, whatever stands before them. */
    @Test
    void aRecordBehindADamagedOneCountsThoughItsPayloadIsDamagedToo() throws Exception {
        LogPosition bad;
        LogPosition next;
        try (SegmentLog log = open(1)) {
            append(log, 1, "before");
            bad = log.end();
            append(log, 1, "bad");
            next = appendFragment(log, 0, LogOnDisk.random(5_000), "its bytes are damaged");
            log.roll();
            append(log, 1, "newest");
        }
        Path segment = directory.resolve("00000000000000000001.log");
        flip(segment, bad.offset() + LogFormat.RECORD_HEADER_BYTES);
        flip(segment, next.offset() + 2_000);
        try (SegmentLog log = open(2)) {
            assertThat(replay(log, LogPosition.START))
                    .containsExactly("1:before", "5:its bytes are damaged", "1:newest");
            assertThat(log.damages().all()).extracting(LogDamage::position).containsExactly(bad);
        }
    }

    @Test
    void aSealedSegmentIsReadWithItsPayloadsToFindDamage() throws Exception {
        Path segment = directory.resolve("00000000000000000001.log");
        try (SegmentLog log = open(1)) {
            LogPosition bad = appendFragment(log, 0, LogOnDisk.random(5_000), "its bytes are damaged");
            log.roll();
            append(log, 1, "newest");
            flip(segment, bad.offset() + 2_000);
            log.verify(1);
            assertThat(log.damages().all()).extracting(LogDamage::position).containsExactly(bad);

            Path elsewhere = Files.move(segment, directory.resolve("elsewhere"));
            assertThatThrownBy(() -> log.verify(1)).isInstanceOf(StorageException.class);
            Files.move(elsewhere, segment);
            log.deleteSegment(1);
            log.verify(1); // nothing is left to be read
            assertThat(log.damages().all()).hasSize(1);
        }
    }

    private LogPosition appendFragment(SegmentLog log, long index, byte[] payload, String body) throws Exception {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        buffer.payload(0, payload.length).put(payload);
        CRC32C crc = new CRC32C();
        crc.update(payload);
        byte[] leaf = new byte[32];
        leaf[0] = (byte) index;
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        Fragment fragment = new Fragment(KEY, index, payload.length, (int) crc.getValue(), leaf, buffer, 0);
        log.append(5, fragment, body.getBytes(StandardCharsets.UTF_8), LogOnDisk.completing(done));
        buffer.release();
        return done.get();
    }

    private void assertPayload(SegmentLog log, LogPosition position, byte[] payload, long index, String body)
            throws StorageException {
        for (int expected : new int[] {payload.length, 0, 1}) {
            FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
            LogRecord record = log.read(position, expected, buffer);
            byte[] found = new byte[record.payloadLength()];
            buffer.payload(0, found.length).get(found);
            buffer.release();
            assertThat(found).isEqualTo(payload);
            assertThat(record.key()).isEqualTo(KEY);
            assertThat(record.index()).isEqualTo(index);
            assertThat(record.leaf()[0]).isEqualTo((byte) index);
            assertThat(new String(record.body(), StandardCharsets.UTF_8)).isEqualTo(body);
        }
    }

    private static List<String> replay(SegmentLog log, LogPosition from) throws StorageException {
        List<String> texts = new ArrayList<>();
        log.replay(from, record -> texts.add(text(record)));
        return texts;
    }

    private static String text(LogRecord record) {
        return record.kind() + ":" + new String(record.body(), StandardCharsets.UTF_8);
    }

    private static void flip(Path file, long offset) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, offset);
            one.put(0, (byte) (one.get(0) ^ 0x10));
            channel.write(one.rewind(), offset);
        }
        assertThat(Files.size(file)).isPositive();
    }
}
