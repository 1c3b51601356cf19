package io.hawser.store.log;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Small records side by side in an aligned staging buffer, filled up to a whole block: what leaves as one write.
 *
 * <p>Thread: log-writer, or the one that recovers.
 */
final class PackedGroup {
    private static final byte[] NO_LEAF = new byte[LogFormat.LEAF_BYTES];
    /** The longest padding. */
    private static final ByteBuffer ZEROES = ByteBuffer.allocateDirect(2 * LogFormat.BLOCK_BYTES);

    private final LogId log;
    private final ByteBuffer staging;
    private long segment;
    private long startOffset;
    private long epoch;
    private long groupSequence;

    PackedGroup(LogId log, int capacityBytes) {
        this.log = log;
        this.staging = ByteBuffer.allocateDirect(capacityBytes + LogFormat.BLOCK_BYTES)
                .alignedSlice(LogFormat.BLOCK_BYTES)
                .slice(0, capacityBytes);
    }

    /** Empties it; what is packed from now on is written at {@code offset} of {@code segment}. */
    void begin(long segment, long offset, long epoch, long groupSequence) {
        this.segment = segment;
        this.startOffset = offset;
        this.epoch = epoch;
        this.groupSequence = groupSequence;
        staging.clear();
    }

    /** Takes over bytes that are at the beginning already. */
    void keep(ByteBuffer bytes) {
        staging.put(bytes);
    }

    boolean isEmpty() {
        return staging.position() == 0;
    }

    /** Whether a record of that length, and the padding that may have to follow, has room. */
    boolean hasRoomFor(int recordLength) {
        return staging.remaining() >= recordLength + LogFormat.BLOCK_BYTES + LogFormat.RECORD_HEADER_BYTES;
    }

    int lengthBytes() {
        return staging.position();
    }

    RecordHeader add(
            int kind,
            long sequence,
            @Nullable TransferKey key,
            long index,
            byte[] leaf,
            byte[] body,
            ByteBuffer payload,
            int payloadCrc32c) {
        RecordHeader header = addHeader(new RecordHeader(
                kind,
                key == null ? 0 : LogFormat.FLAG_KEYED,
                sequence,
                epoch,
                groupSequence,
                body.length,
                payload.remaining(),
                key,
                index,
                leaf,
                Crc32c.of(body),
                payloadCrc32c,
                place()));
        staging.put(body).put(payload);
        while (staging.position() % LogFormat.RECORD_ALIGNMENT_BYTES != 0) {
            staging.put((byte) 0);
        }
        return header;
    }

    private LogPosition place() {
        return new LogPosition(segment, startOffset + staging.position());
    }

    private RecordHeader addHeader(RecordHeader header) {
        int at = staging.position();
        header.write(staging, at, log);
        staging.position(at + LogFormat.RECORD_HEADER_BYTES);
        return header;
    }

    boolean needsPadding() {
        return staging.position() % LogFormat.BLOCK_BYTES != 0;
    }

    /** Fills up to a block's end with a record that says nothing. */
    void pad(long sequence) {
        int rest = LogFormat.roundUp(staging.position(), LogFormat.BLOCK_BYTES) - staging.position();
        int length = rest < LogFormat.RECORD_HEADER_BYTES ? rest + LogFormat.BLOCK_BYTES : rest;
        fill(LogFormat.KIND_PAD, sequence, length);
    }

    /** Adds the record that ends a segment, one block long. */
    void seal(long sequence) {
        fill(LogFormat.KIND_SEAL, sequence, LogFormat.BLOCK_BYTES);
    }

    private void fill(int kind, long sequence, int length) {
        ByteBuffer body = ZEROES.slice(0, length - LogFormat.RECORD_HEADER_BYTES);
        int crc = Crc32c.of(body);
        RecordHeader unused = addHeader(new RecordHeader(
                kind, 0, sequence, epoch, groupSequence, body.remaining(), 0, null, 0, NO_LEAF, crc, 0, place()));
        staging.put(body);
    }

    /** What was packed, from the beginning. */
    ByteBuffer bytes() {
        return staging.duplicate().flip();
    }
}
