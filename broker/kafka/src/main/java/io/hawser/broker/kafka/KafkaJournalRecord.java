package io.hawser.broker.kafka;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.DetachedPayloadLog;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.FormatTooOldException;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record of the journal in Kafka: one part, or several where its body is longer than a record of Kafka may be. The
 * layout is on the package's page.
 *
 * @param kind as in the log on a disk
 * @param sequence its number
 * @param incarnation how often a broker had taken the store when it was written
 * @param key the transfer that it is about, if any
 * @param index the fragment's index, or whatever its kind makes of it
 * @param payload where its payload lies; null if it has none
 * @param body the small part
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KafkaJournalRecord(
        int kind,
        long sequence,
        long incarnation,
        @Nullable TransferKey key,
        long index,
        @Nullable PayloadPlace payload,
        byte[] body) {
    static final int HEADER_BYTES = 92;
    private static final int MAGIC = 0x48574B4A; // HWKJ
    private static final int VERSION = 2;
    private static final int KEYED = 1;
    private static final int WITH_PAYLOAD = 2;
    private static final int VERSION_OFFSET = 4;
    private static final int PART_OFFSET = 8;
    private static final int PARTS_OFFSET = 10;
    private static final int PLACE_OFFSET = 68;
    private static final int BODY_LENGTH_OFFSET = 84;
    private static final int CRC_OFFSET = 88;

    /**
     * Where a payload lies.
     *
     * @param area the partition
     * @param first offset of its first part
     * @param count offsets from there to the one after its last part
     * @param length its bytes
     */
    record PayloadPlace(int area, long first, int count, int length) {
        private boolean isPossible() {
            return area >= 0
                    && first >= 0
                    && first == DetachedPayloadLog.numberOf(first)
                    && count > 0
                    && length > 0
                    && length <= Manifest.MAX_FRAGMENT_SIZE_BYTES;
        }
    }

    /** Its parts, each with at most {@code maxBodyBytes} of the body. */
    List<byte[]> encode(int maxBodyBytes) {
        int parts = Math.max(1, (body.length + maxBodyBytes - 1) / maxBodyBytes);
        List<byte[]> encoded = new ArrayList<>(parts);
        for (int part = 0; part < parts; part++) {
            int from = part * maxBodyBytes;
            int length = Math.min(maxBodyBytes, body.length - from);
            ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + length);
            out.putInt(MAGIC).put((byte) VERSION).put((byte) kind);
            out.putShort((short) ((key == null ? 0 : KEYED) | (payload == null ? 0 : WITH_PAYLOAD)));
            out.putShort((short) part).putShort((short) parts);
            out.putLong(sequence).putLong(incarnation).putLong(index);
            (key == null ? TransferKey.NONE : key).putInto(out);
            PayloadPlace place = payload == null ? new PayloadPlace(0, 0, 0, 0) : payload;
            out.putShort((short) place.area).putLong(place.first).putShort((short) place.count);
            out.putInt(place.length);
            out.putInt(body.length);
            out.putInt(0).put(body, from, length);
            out.putInt(CRC_OFFSET, checksum(out.array()));
            encoded.add(out.array());
        }
        return encoded;
    }

    /** Of an encoded part: what its checksum must be. */
    static int checksum(byte[] part) {
        CRC32C crc = new CRC32C();
        crc.update(part, 0, CRC_OFFSET);
        crc.update(part, HEADER_BYTES, part.length - HEADER_BYTES);
        return (int) crc.getValue();
    }

    record PartOf(int part, int parts) {}

    /**
     * Checks an encoded part.
     *
     * @param offset its offset, for messages
     */
    static PartOf check(byte[] encoded, long offset) throws StorageException {
        ByteBuffer in = ByteBuffer.wrap(encoded);
        if (encoded.length < HEADER_BYTES || in.getInt(0) != MAGIC) {
            throw new CorruptRecordException("at offset " + offset + " of the journal there is no record of Hawser's");
        }
        if (in.get(VERSION_OFFSET) < VERSION) {
            throw new FormatTooOldException("the journal's record at offset " + offset + " is of format "
                    + in.get(VERSION_OFFSET) + ", this version of Hawser reads from " + VERSION
                    + ". Let the older version deliver everything, then begin with other topics; nothing was changed.");
        }
        if (in.get(VERSION_OFFSET) > VERSION) {
            throw new FormatTooNewException("the journal's record at offset " + offset + " is of format "
                    + in.get(VERSION_OFFSET) + ". Use the newer version of Hawser.");
        }
        if (in.getInt(CRC_OFFSET) != checksum(encoded)) {
            throw new CorruptRecordException(
                    "the journal's record at offset " + offset + " does not agree with its checksum");
        }
        PartOf place = new PartOf(in.getShort(PART_OFFSET), in.getShort(PARTS_OFFSET));
        if (place.part < 0 || place.part >= place.parts) {
            throw new CorruptRecordException("the journal's record at offset " + offset + " says that it is part "
                    + place.part + " of " + place.parts);
        }
        return place;
    }

    /** Reads a record whose parts have been checked. */
    static KafkaJournalRecord decode(List<byte[]> parts) throws StorageException {
        ByteBuffer in = ByteBuffer.wrap(parts.get(0));
        int kind = in.get(VERSION_OFFSET + 1);
        int flags = in.getShort(VERSION_OFFSET + 2);
        in.position(PARTS_OFFSET + Short.BYTES);
        long sequence = in.getLong();
        long incarnation = in.getLong();
        long index = in.getLong();
        TransferKey key = TransferKey.read(in);
        in.position(PLACE_OFFSET);
        PayloadPlace place = new PayloadPlace(in.getShort(), in.getLong(), in.getShort(), in.getInt());
        int bodyLength = in.getInt(BODY_LENGTH_OFFSET);
        if (bodyLength < 0 || bodyLength > SegmentLog.maxBodyBytes() || kind < 1 || kind > LogRecord.MAX_KIND) {
            throw new CorruptRecordException("record " + sequence + " of the journal has a body of " + bodyLength
                    + " bytes and is of kind " + kind);
        }
        if ((flags & WITH_PAYLOAD) != 0 && !place.isPossible()) {
            throw new CorruptRecordException("record " + sequence + " of the journal has its payload at " + place);
        }
        ByteBuffer body = ByteBuffer.allocate(bodyLength);
        for (byte[] part : parts) {
            if (part.length - HEADER_BYTES > body.remaining()) {
                throw new CorruptRecordException("the parts of record " + sequence + " are longer than its body");
            }
            body.put(part, HEADER_BYTES, part.length - HEADER_BYTES);
        }
        if (body.hasRemaining()) {
            throw new CorruptRecordException("the parts of record " + sequence + " are shorter than its body");
        }
        return new KafkaJournalRecord(
                kind,
                sequence,
                incarnation,
                (flags & KEYED) == 0 ? null : key,
                index,
                (flags & WITH_PAYLOAD) == 0 ? null : place,
                body.array());
    }
}
