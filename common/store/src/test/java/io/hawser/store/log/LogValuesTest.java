package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of what a log is made of. */
class LogValuesTest {
    private static final LogId ID = new LogId(5, 6);
    private static final Path PATH = Path.of("00000000000000000001.log");

    @ParameterizedTest
    @CsvSource({
        "28672, 1, 0, 1, 1", // fewer than eight blocks
        "32769, 1, 0, 1, 1", // no whole block
        "17179873280, 1, 0, 1, 1", // more than places can be counted in
        "65536, 0, 0, 1, 1",
        "65536, 4294967296, 0, 1, 1",
        "65536, 1, -1, 1, 1",
        "65536, 1, 0, 0, 1",
        "65536, 1, 0, 1, 0"
    })
    void aConfigurationThatCannotBeIsRefused(long segment, long epoch, int spares, int group, long queued) {
        assertThatThrownBy(() -> new LogConfig(PATH, epoch, "w", TestRuntime.threads(), segment, spares, group, queued))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theExtremesOfAConfigurationAreTaken() {
        LogConfig config = new LogConfig(
                PATH, LogFormat.MAX_EPOCH, "w", TestRuntime.threads(), LogFormat.MAX_SEGMENT_SIZE_BYTES, 0, 1, 1);
        assertThat(config.withSegments(8L * LogFormat.BLOCK_BYTES, 1).segmentSizeBytes())
                .isEqualTo(32_768);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abcd", "zz", "0123456789abcdef0123456789abcdef00"})
    void anIdIs32HexDigits(String text) {
        assertThatThrownBy(() -> LogId.parse(text)).isInstanceOf(IllegalArgumentException.class);
        assertThat(LogId.parse(ID.toString())).isEqualTo(ID);
    }

    @Test
    void positionsAreOrderedBySegmentThenByOffset() {
        LogPosition place = new LogPosition(2, 4096);
        assertThat(place)
                .isGreaterThan(new LogPosition(1, 8192))
                .isLessThan(new LogPosition(2, 8192))
                .isEqualByComparingTo(new LogPosition(2, 4096));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSegmentHeaderSaysWhetherItsFileWasUsedBefore(boolean recycled) throws Exception {
        SegmentHeader header = new SegmentHeader(ID, 3, 17, 2, recycled);
        assertThat(SegmentHeader.read(header.toBlock(), PATH)).isEqualTo(header);
    }

    @Test
    void aSegmentOfOtherBlocksIsNotRead() {
        ByteBuffer block = new SegmentHeader(ID, 3, 17, 2, false).toBlock();
        block.putInt(SegmentHeader.BLOCK_OFFSET, 512);
        CRC32C crc = new CRC32C();
        crc.update(block.slice(0, SegmentHeader.CRC_OFFSET));
        block.putInt(SegmentHeader.CRC_OFFSET, (int) crc.getValue());

        assertThatThrownBy(() -> SegmentHeader.read(block, PATH))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("block size 512");
    }

    private static RecordHeader header(int flags, int bodyLength, int payloadLength) {
        return new RecordHeader(
                1,
                flags,
                9,
                1,
                9,
                bodyLength,
                payloadLength,
                null,
                0,
                new byte[LogFormat.LEAF_BYTES],
                0,
                0,
                new LogPosition(1, 4096));
    }

    private static RecordHeader readBack(RecordHeader header, int room, LogPosition expected) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * LogFormat.RECORD_HEADER_BYTES);
        header.write(bytes, 0, ID);
        return RecordHeader.tryRead(bytes.limit(room), 0, ID, expected);
    }

    /** A wrong length with a right checksum: it may not lead to an allocation. */
    @ParameterizedTest
    @CsvSource({
        "0, -1, 0",
        "0, 1044353, 0",
        "1, 3969, 0",
        "0, 0, -1",
        "1, 0, 67108865",
        "0, 1, 1044352",
        "0, 1044352, 1"
    })
    void lengthsBeyondTheLimitsMakeNoHeader(int flags, int bodyLength, int payloadLength) {
        assertThat(LogFormat.MAX_PACKED_BYTES).isEqualTo(1_044_352);
        assertThat(LogFormat.MAX_BULK_BODY_BYTES).isEqualTo(3_968);
        LogPosition place = new LogPosition(1, 4096);

        assertThat(readBack(header(flags, bodyLength, payloadLength), 256, place))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0, 1044352, 0", "0, 1, 1044351", "1, 3968, 67108864"})
    void lengthsUpToTheLimitsMakeOne(int flags, int bodyLength, int payloadLength) {
        LogPosition place = new LogPosition(1, 4096);
        RecordHeader read = readBack(header(flags, bodyLength, payloadLength), 256, place);

        assertThat(read).isNotNull();
        assertThat(read.bodyLength()).isEqualTo(bodyLength);
        assertThat(read.payloadLength()).isEqualTo(payloadLength);
    }

    @Test
    void aHeaderBelongsWhereItSaysAndIsWhole() {
        RecordHeader header = header(0, 1, 2);
        assertThat(readBack(header, 256, new LogPosition(1, 8192))).isNull();
        assertThat(readBack(header, 256, new LogPosition(2, 4096))).isNull();
        assertThat(readBack(header, LogFormat.RECORD_HEADER_BYTES - 1, new LogPosition(1, 4096)))
                .isNull();
        assertThat(readBack(header, LogFormat.RECORD_HEADER_BYTES, new LogPosition(1, 4096)))
                .isNotNull();
    }

    @Test
    void aGroupIsBoundedAndHoldsOneRecordAtLeast() throws Exception {
        AtomicInteger woken = new AtomicInteger();
        AppendQueue queue = new AppendQueue(1 << 20, woken::incrementAndGet);
        for (int i = 0; i < 3; i++) {
            assertThat(queue.put(new PendingAppend(
                            1,
                            null,
                            i,
                            new byte[1_000],
                            null,
                            false,
                            LogOnDisk.completing(new java.util.concurrent.CompletableFuture<>()))))
                    .isNull();
        }

        assertThat(woken).hasValue(1);
        assertThat(taken(queue, 1)).containsExactly(0L); // too long by itself, and yet it has to go
        assertThat(taken(queue, 1_500)).containsExactly(1L);
        assertThat(queue.pause()).isFalse();
        assertThat(taken(queue, 1 << 20)).containsExactly(2L);
        assertThat(queue.pause()).isTrue();
    }

    private static List<Long> taken(AppendQueue queue, int maxBytes) {
        List<PendingAppend> group = new ArrayList<>();
        queue.take(group, maxBytes);
        return group.stream().map(PendingAppend::index).toList();
    }
}
