package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records with right checksums that nevertheless do not belong where they stand, and files that shrink. */
class SegmentScannerTest {
    private static final LogId ID = new LogId(5, 6);
    private static final Path SEGMENT = LogOnDisk.segment(1);
    private static final int FIRST = LogFormat.BLOCK_BYTES;
    private static final int SECOND = 2 * LogFormat.BLOCK_BYTES;

    private final LogOnDisk disk = new LogOnDisk();
    private final List<LogDamage> damages = new ArrayList<>();

    @BeforeEach
    void directory() throws StorageException {
        disk.storage.createDirectories(LogOnDisk.DIRECTORY);
    }

    /** A segment of epoch 5 with one record of {@code firstEpoch} and behind it one of {@code secondEpoch}, each with a block. */
    private ByteBuffer segment(long firstEpoch, long secondEpoch) {
        ByteBuffer file = ByteBuffer.allocate(4 * LogFormat.BLOCK_BYTES);
        file.put(new SegmentHeader(ID, 1, 1, 5, false).toBlock());
        PackedGroup group = new PackedGroup(ID, 4 * LogFormat.BLOCK_BYTES);
        group.begin(1, FIRST, firstEpoch, 1);
        add(group, 1, "one");
        file.put(group.bytes());
        group.begin(1, SECOND, secondEpoch, 3);
        add(group, 3, "two");
        file.put(group.bytes());
        return file;
    }

    private static void add(PackedGroup group, long sequence, String body) {
        RecordHeader added = group.add(
                1,
                sequence,
                null,
                0,
                new byte[LogFormat.LEAF_BYTES],
                body.getBytes(StandardCharsets.US_ASCII),
                ByteBuffer.allocate(0),
                0);
        assertThat(added.sequence()).isEqualTo(sequence);
        group.pad(sequence + 1);
    }

    private List<String> scan(ByteBuffer segment, long maxEpoch) throws StorageException {
        disk.overwrite(SEGMENT, 0, LogOnDisk.bytes(segment.clear()));
        List<String> shown = new ArrayList<>();
        try (StorageFile file = disk.storage.open(SEGMENT, OpenMode.READ, FileIoMode.DIRECT)) {
            SegmentHeader header = new SegmentHeader(ID, 1, 1, 5, false);
            SegmentScanner scanner = new SegmentScanner(file, header, true, maxEpoch, damages::add);
            SegmentScanner.End end =
                    scanner.scan(0, Long.MAX_VALUE, false, record -> shown.add(LogOnDisk.text(record)));
            assertThat(end.sealed()).isFalse();
        }
        return shown;
    }

    @Test
    void recordsOfEpochsInOrderAreShown() throws Exception {
        assertThat(scan(segment(5, 6), 6)).containsExactly("one", "two");
    }

    @Test
    void aRecordOfAnEarlierEpochThanTheOneBeforeItIsStale() throws Exception {
        assertThat(scan(segment(6, 5), 6)).containsExactly("one");
    }

    @Test
    void aRecordOfAnEpochThatHasNotBegunIsNotBelieved() throws Exception {
        assertThat(scan(segment(5, 7), 6)).containsExactly("one");
    }

    @Test
    void aRecordOfALaterVersionIsRefusedAndNotCutOff() {
        ByteBuffer segment = segment(5, 5);
        segment.put(SECOND + LogFormat.VERSION_OFFSET, (byte) (LogFormat.VERSION + 1));
        CRC32C crc = ID.seededCrc();
        crc.update(segment.slice(SECOND, LogFormat.HEADER_CRC_OFFSET));
        segment.putInt(SECOND + LogFormat.HEADER_CRC_OFFSET, (int) crc.getValue());

        assertThatThrownBy(() -> scan(segment, 5))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("log format " + (LogFormat.VERSION + 1) + " at " + SECOND);
    }

    @Test
    void aFileThatShrinksWhileItIsReadEndsThere() throws Exception {
        disk.overwrite(SEGMENT, 0, LogOnDisk.bytes(segment(5, 5).clear()));
        try (StorageFile file = disk.storage.open(SEGMENT, OpenMode.READ, FileIoMode.DIRECT)) {
            SegmentWindow window = new SegmentWindow(file, 2 * LogFormat.BLOCK_BYTES);
            assertThat(window.crc32c(SECOND, 100)).isNotNegative();
            assertThat(window.crc32c(0, 100)).isNotNegative(); // the window is elsewhere now
            disk.cut(SEGMENT, SECOND);

            assertThat(window.locate(SECOND, 8)).isNegative();
            assertThat(window.crc32c(SECOND - 8, 100)).isNegative();
            assertThat(window.copy(SECOND - 8, new byte[100])).isFalse();
            assertThat(window.copy(FIRST, new byte[100])).isTrue();
        }
    }

    @Test
    void whatIsReadOnAndOnIsReadMoreOfAtATimeAndBehindAJumpLittleAgain() throws Exception {
        int block = LogFormat.BLOCK_BYTES;
        disk.overwrite(SEGMENT, 0, new byte[400 * block]);
        List<Integer> reads = new ArrayList<>();
        try (StorageFile file = disk.storage.open(SEGMENT, OpenMode.READ, FileIoMode.DIRECT)) {
            StorageFile watched = (StorageFile) Proxy.newProxyInstance(
                    StorageFile.class.getClassLoader(), new Class<?>[] {StorageFile.class}, (self, method, given) -> {
                        if (method.getName().equals("read")) {
                            reads.add(((ByteBuffer) given[0]).remaining() / block);
                        }
                        return method.invoke(file, given);
                    });
            SegmentWindow window = new SegmentWindow(watched, SegmentWindow.memory(16 * block), 2 * block);
            for (long offset = 0; offset < 80L * block; offset += block) {
                assertThat(window.locate(offset, 100)).isNotNegative();
            }
            assertThat(reads).startsWith(2, 4, 8, 16, 16).hasSize(8);

            reads.clear();
            window.locate(300L * block, 100); // behind a payload that nobody looks at
            window.locate(301L * block, block + 1); // across its end
            assertThat(reads).containsExactly(2, 4);

            reads.clear();
            assertThat(window.crc32c(350L * block + 100, 10 * block))
                    .isNotNegative(); // more than was to be read at once
            assertThat(reads).containsExactly(11);
        }
    }

    @Test
    void aReplayThatBeginsAtADamagedRecordGoesOnBehindIt() throws Exception {
        LogPosition bad;
        try (SegmentLog log = disk.open(1)) {
            LogOnDisk.append(log, "before");
            bad = LogOnDisk.append(log, "bad");
            LogOnDisk.append(log, "behind");
        }
        disk.overwrite(SEGMENT, bad.offset() + LogFormat.RECORD_HEADER_BYTES, (byte) 9);
        try (SegmentLog log = disk.open(2)) {
            assertThat(LogOnDisk.bodies(log, bad)).containsExactly("behind");
            assertThat(log.damages().all()).extracting(LogDamage::position).containsExactly(bad);
        }
    }

    @Test
    void aLostSealInTheMiddleOfTheLogIsDamage() throws Exception {
        try (SegmentLog log = disk.open(1)) {
            LogOnDisk.append(log, "first");
            log.roll();
            LogOnDisk.append(log, "second");
        }
        long size = disk.storage.facts(SEGMENT).sizeBytes();
        disk.cut(SEGMENT, size - LogFormat.BLOCK_BYTES);
        try (SegmentLog log = disk.open(2)) {
            assertThat(LogOnDisk.bodies(log)).containsExactly("first", "second");
            assertThat(log.damages().all()).hasSize(1);
            assertThat(log.damages().all().get(0).position().segment()).isEqualTo(1);
        }
    }
}
