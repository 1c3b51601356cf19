package io.hawser.store.log;

import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The fixed part of a record: {@value LogFormat#RECORD_HEADER_BYTES} bytes, laid out as the package's page says. Its own
 * checksum is seeded with the log's id, and it holds its own offset: so neither stale bytes of a recycled file nor a piece of
 * another log inside a payload is ever taken for a record.
 *
 * @param groupSequence number of the first record that was forced together with this one: all before it were durable when it
 *     was written
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RecordHeader(
        int kind,
        int flags,
        long sequence,
        long epoch,
        long groupSequence,
        int bodyLength,
        int payloadLength,
        @Nullable TransferKey key,
        long index,
        byte[] leaf,
        int bodyCrc32c,
        int payloadCrc32c,
        LogPosition position) {

    boolean bulk() {
        return (flags & LogFormat.FLAG_BULK) != 0;
    }

    /** Where the payload begins, counted from the record's beginning. */
    int payloadOffset() {
        return bulk() ? LogFormat.BLOCK_BYTES : LogFormat.RECORD_HEADER_BYTES + bodyLength;
    }

    /** The whole record, padding included. */
    long lengthBytes() {
        return bulk()
                ? LogFormat.BLOCK_BYTES + (long) LogFormat.roundUp(payloadLength, LogFormat.BLOCK_BYTES)
                : packedLength(bodyLength, payloadLength);
    }

    static int packedLength(int bodyLength, int payloadLength) {
        return LogFormat.roundUp(
                LogFormat.RECORD_HEADER_BYTES + bodyLength + payloadLength, LogFormat.RECORD_ALIGNMENT_BYTES);
    }

    LogRecord toRecord(byte[] body) {
        long length = lengthBytes();
        return new LogRecord(
                kind,
                sequence,
                epoch,
                position,
                length,
                key,
                index,
                leaf,
                body,
                payloadLength,
                payloadCrc32c,
                position,
                length);
    }

    void write(ByteBuffer out, int at, LogId log) {
        out.putInt(at + LogFormat.MAGIC_OFFSET, LogFormat.RECORD_MAGIC);
        out.put(at + LogFormat.VERSION_OFFSET, (byte) LogFormat.VERSION);
        out.put(at + LogFormat.KIND_OFFSET, (byte) kind);
        out.putShort(at + LogFormat.FLAGS_OFFSET, (short) flags);
        out.putLong(at + LogFormat.SEQUENCE_OFFSET, sequence);
        out.putInt(at + LogFormat.EPOCH_OFFSET, (int) epoch);
        out.putInt(at + LogFormat.GROUP_OFFSET, (int) (sequence - groupSequence));
        out.putInt(at + LogFormat.BODY_LENGTH_OFFSET, bodyLength);
        out.putInt(at + LogFormat.PAYLOAD_LENGTH_OFFSET, payloadLength);
        ByteBuffer keyPlace = out.slice(at + LogFormat.KEY_OFFSET, TransferKey.LENGTH_BYTES);
        (key == null ? TransferKey.NONE : key).putInto(keyPlace);
        out.putLong(at + LogFormat.INDEX_OFFSET, index);
        out.put(at + LogFormat.LEAF_OFFSET, leaf);
        out.putInt(at + LogFormat.BODY_CRC_OFFSET, bodyCrc32c);
        out.putInt(at + LogFormat.PAYLOAD_CRC_OFFSET, payloadCrc32c);
        out.putLong(at + LogFormat.SEGMENT_OFFSET, position.segment());
        out.putInt(at + LogFormat.PLACE_OFFSET, (int) (position.offset() / LogFormat.RECORD_ALIGNMENT_BYTES));
        out.putInt(at + LogFormat.HEADER_CRC_OFFSET, checksum(out, at, log));
    }

    /**
     * The header at {@code at} of {@code in} if there is a whole one that belongs at {@code expected}; null otherwise. Lengths
     * are within the format's limits, but may reach past the file's end. The version is not looked at, see
     * {@link #versionAt}.
     */
    static @Nullable RecordHeader tryRead(ByteBuffer in, int at, LogId log, LogPosition expected) {
        if (in.limit() - at < LogFormat.RECORD_HEADER_BYTES
                || in.getInt(at + LogFormat.MAGIC_OFFSET) != LogFormat.RECORD_MAGIC
                || in.getInt(at + LogFormat.HEADER_CRC_OFFSET) != checksum(in, at, log)) {
            return null;
        }
        long sequence = in.getLong(at + LogFormat.SEQUENCE_OFFSET);
        int flags = in.getShort(at + LogFormat.FLAGS_OFFSET);
        byte[] leaf = new byte[LogFormat.LEAF_BYTES];
        in.get(at + LogFormat.LEAF_OFFSET, leaf);
        RecordHeader header = new RecordHeader(
                Byte.toUnsignedInt(in.get(at + LogFormat.KIND_OFFSET)),
                flags,
                sequence,
                Integer.toUnsignedLong(in.getInt(at + LogFormat.EPOCH_OFFSET)),
                sequence - Integer.toUnsignedLong(in.getInt(at + LogFormat.GROUP_OFFSET)),
                in.getInt(at + LogFormat.BODY_LENGTH_OFFSET),
                in.getInt(at + LogFormat.PAYLOAD_LENGTH_OFFSET),
                (flags & LogFormat.FLAG_KEYED) == 0
                        ? null
                        : TransferKey.read(in.slice(at + LogFormat.KEY_OFFSET, TransferKey.LENGTH_BYTES)),
                in.getLong(at + LogFormat.INDEX_OFFSET),
                leaf,
                in.getInt(at + LogFormat.BODY_CRC_OFFSET),
                in.getInt(at + LogFormat.PAYLOAD_CRC_OFFSET),
                new LogPosition(
                        in.getLong(at + LogFormat.SEGMENT_OFFSET),
                        Integer.toUnsignedLong(in.getInt(at + LogFormat.PLACE_OFFSET))
                                * LogFormat.RECORD_ALIGNMENT_BYTES));
        return header.position.equals(expected) && header.isWithinLimits() ? header : null;
    }

    private boolean isWithinLimits() {
        int maxBody = bulk() ? LogFormat.MAX_BULK_BODY_BYTES : LogFormat.MAX_PACKED_BYTES;
        return bodyLength >= 0
                && bodyLength <= maxBody
                && payloadLength >= 0
                && payloadLength <= LogFormat.MAX_PAYLOAD_BYTES
                && (bulk() || bodyLength + payloadLength <= LogFormat.MAX_PACKED_BYTES);
    }

    /** The format version of a header that {@link #tryRead} accepted. */
    static int versionAt(ByteBuffer in, int at) {
        return Byte.toUnsignedInt(in.get(at + LogFormat.VERSION_OFFSET));
    }

    private static int checksum(ByteBuffer bytes, int at, LogId log) {
        CRC32C crc = log.seededCrc();
        crc.update(bytes.slice(at, LogFormat.HEADER_CRC_OFFSET));
        return (int) crc.getValue();
    }
}
