package io.hawser.store.log;

import static io.hawser.store.log.LogOnDisk.append;
import static io.hawser.store.log.LogOnDisk.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.Interposed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Reading single records: wrong expectations, files that end early, segments that go meanwhile; and the open files. */
class SegmentReadTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final int LARGE = 100_000;

    private final LogOnDisk disk = new LogOnDisk();
    private final FragmentBufferPool pool = new FragmentBufferPool(LARGE, 4);

    private LogPosition appendPayload(SegmentLog log, byte[] payload) throws Exception {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        buffer.payload(0, payload.length).put(payload);
        int crc = Crc32c.of(buffer.payload(0, payload.length));
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        log.append(
                2,
                new Fragment(KEY, 0, payload.length, crc, new byte[32], buffer, 0),
                new byte[] {1},
                LogOnDisk.completing(done));
        buffer.release();
        return done.get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    private static byte[] read(SegmentLog log, LogPosition position, int expected, int capacity)
            throws StorageException {
        FragmentBuffer into = Objects.requireNonNull(new FragmentBufferPool(capacity, 1).tryAcquire());
        LogRecord record = log.read(position, expected, into);
        byte[] payload = new byte[record.payloadLength()];
        into.payload(0, payload.length).get(payload);
        return payload;
    }

    @Test
    void whateverIsExpectedTheRightPayloadIsRead() throws Exception {
        byte[] first = LogOnDisk.random(5_000);
        byte[] second = LogOnDisk.random(6_000);
        byte[] large = LogOnDisk.random(LARGE);
        try (SegmentLog log = disk.open(1)) {
            LogPosition aligned = appendPayload(log, first);
            LogPosition unaligned = append(log, "x".repeat(100));
            LogPosition packed = appendPayload(log, second);
            LogPosition bulk = appendPayload(log, large);
            assertThat(aligned.offset() % LogFormat.BLOCK_BYTES).isZero();

            for (int expected : new int[] {0, 70_000, LARGE, LARGE + 1, Integer.MAX_VALUE}) {
                assertThat(read(log, aligned, expected, LARGE)).isEqualTo(first);
                assertThat(read(log, packed, expected, LARGE)).isEqualTo(second);
                assertThat(read(log, bulk, expected, LARGE)).isEqualTo(large);
                assertThat(read(log, unaligned, expected, LARGE)).isEmpty();
            }
        }
    }

    @Test
    void aPayloadThatDoesNotFitItsBufferIsNotReadInPart() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            LogPosition packed = appendPayload(log, LogOnDisk.random(5_000));
            LogPosition bulk = appendPayload(log, LogOnDisk.random(LARGE));

            for (LogPosition position : List.of(packed, bulk)) {
                assertThatThrownBy(() -> read(log, position, 5_000, 4_096))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("does not fit a buffer of 4096");
            }
        }
    }

    @Test
    void aFileThatEndsInARecordIsToldAsSuch() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            LogPosition body = append(log, "b".repeat(10_000));
            LogPosition payload = appendPayload(log, LogOnDisk.random(20_000));
            log.roll();
            append(log, "in the next");

            disk.cut(segment(1), (payload.offset() + 10_000) / LogFormat.BLOCK_BYTES * LogFormat.BLOCK_BYTES);
            assertThatThrownBy(() -> read(log, payload, 0, LARGE))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("ends before the record");
            assertThat(log.read(payload).body()).containsExactly(1); // the body is still there

            disk.cut(segment(1), 3L * LogFormat.BLOCK_BYTES);
            assertThatThrownBy(() -> log.read(body))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("ends before the record");
            assertThatThrownBy(() -> log.read(payload))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("no valid record header");
        }
    }

    @Test
    void aSegmentThatGoesWhileItIsReadIsMissingAndNotDamaged() throws Exception {
        LogPosition position;
        try (SegmentLog log = disk.open(1)) {
            position = append(log, "gone");
        }
        SegmentCatalog catalog = new SegmentCatalog();
        SegmentHeader header = disk.header(1);
        catalog.add(new LogSegment(header, segment(1), 3L * LogFormat.BLOCK_BYTES, true));
        try (SegmentHandles handles = new SegmentHandles(disk.storage, catalog)) {
            RecordLookup reader = new RecordLookup(header.log(), catalog, handles);
            assertThat(LogOnDisk.text(reader.read(position, 0, null))).isEqualTo("gone");
            disk.overwrite(segment(1), position.offset(), new byte[LogFormat.BLOCK_BYTES]); // used again
            assertThatThrownBy(() -> reader.read(position, 0, null)).isInstanceOf(CorruptRecordException.class);

            SegmentHandles.Handle inUse = handles.acquire(1);
            catalog.remove(1);
            assertThatThrownBy(() -> reader.read(position, 0, null)).isInstanceOf(PathMissingException.class);
            inUse.close();
        }
    }

    /** The catalog loses the segment between the look at it and the look at the record. */
    @Test
    void theSameInTheMiddleOfTheRead() throws Exception {
        LogPosition position;
        try (SegmentLog log = disk.open(1)) {
            position = append(log, "gone");
        }
        SegmentHeader header = disk.header(1);
        disk.overwrite(segment(1), position.offset(), new byte[LogFormat.BLOCK_BYTES]);
        SegmentCatalog catalog = new SegmentCatalog();
        catalog.add(new LogSegment(header, segment(1), 3L * LogFormat.BLOCK_BYTES, true));
        Storage removing = Interposed.before(disk.storage, (method, arguments, real) -> {
            if (method.equals("open")) {
                catalog.remove(1);
            }
            return real.call();
        });
        try (SegmentHandles handles = new SegmentHandles(removing, catalog)) {
            RecordLookup reader = new RecordLookup(header.log(), catalog, handles);
            assertThatThrownBy(() -> reader.read(position, 0, null))
                    .isInstanceOf(PathMissingException.class)
                    .hasCauseInstanceOf(CorruptRecordException.class);
        }
    }

    @Test
    void aClosedLogIsNotRead() throws Exception {
        SegmentLog log = disk.open(1);
        LogPosition position = append(log, "x");
        log.close();

        assertThatThrownBy(() -> log.read(position)).isInstanceOf(PathMissingException.class);
    }

    /** The one that was opened last was closed before it was read, if all the others were in use. Those that are not in use are closed. */
    @Test
    void openFilesAreBoundedAndNoneIsClosedUnderItsReader() throws Exception {
        int count = 40;
        SegmentCatalog catalog = new SegmentCatalog();
        disk.storage.createDirectories(LogOnDisk.DIRECTORY);
        for (int i = 1; i <= count; i++) {
            SegmentHeader header = new SegmentHeader(new LogId(1, 1), i, 1, 1, false);
            disk.putHeader(header);
            catalog.add(new LogSegment(header, segment(i), LogFormat.BLOCK_BYTES, true));
        }
        AtomicInteger opened = new AtomicInteger();
        Storage counting = Interposed.before(disk.storage, (method, arguments, real) -> {
            if (method.equals("open")) {
                opened.incrementAndGet();
            }
            return real.call();
        });
        SegmentHandles handles = new SegmentHandles(counting, catalog);
        List<SegmentHandles.Handle> inUse = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            inUse.add(handles.acquire(i));
        }
        for (SegmentHandles.Handle handle : inUse) {
            assertThat(handle.file().sizeBytes()).isEqualTo(LogFormat.BLOCK_BYTES); // none was closed
        }
        inUse.subList(1, count).forEach(SegmentHandles.Handle::close);
        SegmentHandles.Handle first = inUse.get(0);

        catalog.add(new LogSegment(disk.header(1), segment(1), LogFormat.BLOCK_BYTES, true));
        handles.acquire(2).close(); // it was open: no new file
        assertThat(opened).hasValue(count);

        disk.putHeader(new SegmentHeader(new LogId(1, 1), 41, 1, 1, false));
        catalog.add(new LogSegment(disk.header(41), segment(41), LogFormat.BLOCK_BYTES, true));
        handles.acquire(41).close(); // one too many: those that nobody reads go
        assertThat(inUse.stream().filter(SegmentReadTest::isOpen))
                .hasSizeLessThan(33)
                .contains(first);

        handles.forget(1);
        assertThat(isOpen(first)).isTrue();
        first.close();
        assertThat(isOpen(first)).isFalse();

        SegmentHandles.Handle last = handles.acquire(2);
        handles.close();
        assertThat(isOpen(last)).isTrue();
        last.close();
        assertThat(isOpen(last)).isFalse();
        assertThatThrownBy(() -> handles.acquire(3)).isInstanceOf(PathMissingException.class);
    }

    private static boolean isOpen(SegmentHandles.Handle handle) {
        try {
            return handle.file().sizeBytes() > 0;
        } catch (StorageException closed) {
            return false;
        }
    }
}
