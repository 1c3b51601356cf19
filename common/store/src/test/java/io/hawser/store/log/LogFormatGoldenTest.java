package io.hawser.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.FormatTooOldException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.TestRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pins the bytes of version 2 for ever: the file was written once and is not to be written anew. */
class LogFormatGoldenTest {
    private static final LogId ID = new LogId(0x0123456789ABCDEFL, 0x0F1E2D3C4B5A6978L);
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final String SEGMENT = "00000000000000000001.log";

    @TempDir
    Path directory;

    private static byte[] golden() throws IOException {
        try (InputStream in = LogFormatGoldenTest.class.getResourceAsStream("/golden/v2/log/" + SEGMENT + ".hex")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            ByteBuffer bytes = ByteBuffer.allocate(3 * LogFormat.BLOCK_BYTES);
            for (String line : text.strip().split("\n")) {
                int colon = line.indexOf(':');
                bytes.position(Integer.parseInt(line.substring(0, colon), 16));
                bytes.put(HexFormat.of()
                        .parseHex(line.substring(colon + 1).strip().replace(" ", "")));
            }
            return bytes.array();
        }
    }

    /** The log to which docs/reference/format-log.md points as an example. */
    private static byte[] written() {
        ByteBuffer file = ByteBuffer.allocate(3 * LogFormat.BLOCK_BYTES);
        file.put(new SegmentHeader(ID, 1, 1, 1, false).toBlock());
        PackedGroup group = new PackedGroup(ID, 2 * LogFormat.BLOCK_BYTES);
        group.begin(1, LogFormat.BLOCK_BYTES, 1, 1);
        byte[] leaf = new byte[LogFormat.LEAF_BYTES];
        leaf[0] = (byte) 0xAA;
        ByteBuffer payload = ByteBuffer.wrap("payload".getBytes(StandardCharsets.US_ASCII));
        CRC32C crc = new CRC32C();
        crc.update(payload.duplicate());
        byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
        assertThat(group.add(7, 1, KEY, 5, leaf, body, payload, (int) crc.getValue())
                        .kind())
                .isEqualTo(7);
        group.pad(2);
        group.seal(3);
        file.put(group.bytes());
        return file.array();
    }

    /** Lines of offset and 16 bytes, without those that are all zero. */
    static String dump(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bytes.length; at += 16) {
            String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, at, at + 16);
            if (!hex.matches("[0 ]*")) {
                text.append(String.format("%04x: %s%n", at, hex));
            }
        }
        return text.toString();
    }

    @Test
    void thisVersionStillWritesTheBytesOfVersionTwo() throws Exception {
        assertThat(dump(written())).isEqualTo(dump(golden()));
    }

    @Test
    void thisVersionStillReadsTheBytesOfVersionTwo() throws Exception {
        place(golden());
        List<LogRecord> records = new ArrayList<>();
        try (SegmentLog log = open()) {
            log.replay(LogPosition.START, records::add);
            assertThat(log.damages().all()).isEmpty();
        }
        LogRecord record = records.get(0);
        assertThat(records).hasSize(1);
        assertThat(record.kind()).isEqualTo(7);
        assertThat(record.key()).isEqualTo(KEY);
        assertThat(record.index()).isEqualTo(5);
        assertThat(record.leaf()[0]).isEqualTo((byte) 0xAA);
        assertThat(record.body()).isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(record.payloadLength()).isEqualTo(7);
    }

    @Test
    void tooNewTooOldAndCorruptAreThreeThingsAndNothingIsChanged() throws Exception {
        expectUntouched(withVersion(3), FormatTooNewException.class);
        expectUntouched(withVersion(1), FormatTooOldException.class);
    }

    @Test
    void anIdOfAnotherLogIsRefused() throws Exception {
        place(golden());
        Files.writeString(directory.resolve("log.id"), "00000000000000000000000000000001\n");

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("log.id");
    }

    @Test
    void aMissingLogIdIsToldWithItsRemedy() throws Exception {
        place(golden());
        Files.delete(directory.resolve("log.id"));

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("bytes 16 to 31");
    }

    private static byte[] withVersion(int version) throws IOException {
        byte[] bytes = golden();
        ByteBuffer block = ByteBuffer.wrap(bytes);
        block.putShort(SegmentHeader.VERSION_OFFSET, (short) version);
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, SegmentHeader.CRC_OFFSET);
        block.putInt(SegmentHeader.CRC_OFFSET, (int) crc.getValue());
        return bytes;
    }

    private void expectUntouched(byte[] bytes, Class<? extends StorageException> expected) throws IOException {
        place(bytes);
        assertThatThrownBy(this::open).isInstanceOf(expected).hasMessageContaining("nothing was changed");
        assertThat(Files.readAllBytes(directory.resolve(SEGMENT))).isEqualTo(bytes);
    }

    private void place(byte[] bytes) throws IOException {
        Files.write(directory.resolve(SEGMENT), bytes);
        Files.writeString(directory.resolve("log.id"), ID + "\n");
    }

    private SegmentLog open() throws StorageException {
        LogConfig config =
                LogConfig.of(directory, 9, "writer", TestRuntime.threads()).withSegments(64 << 10, 0);
        return SegmentLog.open(new DiskStorage(), config, LogObserver.NONE, cause -> {});
    }
}
