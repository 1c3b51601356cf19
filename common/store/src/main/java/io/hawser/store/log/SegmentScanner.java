package io.hawser.store.log;

import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one segment in order and decides what a place that cannot be read means.
 *
 * <p>A record says which was the first of its group, and a group is written only when the one before has been forced. So a
 * valid record after the bad place whose group began after the missing number proves that what is missing was durable once:
 * <em>damage</em>. Without such a proof, in the segment that was written last, it is a <em>torn tail</em>, never acked.
 *
 * <p>Thread: its creator.
 */
final class SegmentScanner {
    private static final int READ_AHEAD_BYTES = 256 << 10;
    private static final int SKIPPING_READ_BYTES = 32 << 10;
    private static final int MAX_SKIPPING_READ_BYTES = 1 << 20;

    private final SegmentWindow window;
    private final SegmentHeader segment;
    private final boolean verifyPayloads;
    private final long maxEpoch;
    private final Consumer<LogDamage> damaged;
    private long lastSequence;
    private long lastEpoch;
    /** Whether whole records of the same group follow the torn place. */
    private boolean survivors;

    /**
     * @param verifyPayloads whether payloads are read and checked
     * @param maxEpoch no record can be younger
     */
    SegmentScanner(
            StorageFile file, SegmentHeader segment, boolean verifyPayloads, long maxEpoch, Consumer<LogDamage> damaged)
            throws StorageException {
        this(
                new SegmentWindow(file, verifyPayloads ? READ_AHEAD_BYTES : SKIPPING_READ_BYTES),
                segment,
                verifyPayloads,
                maxEpoch,
                damaged);
    }

    private SegmentScanner(
            SegmentWindow window,
            SegmentHeader segment,
            boolean verifyPayloads,
            long maxEpoch,
            Consumer<LogDamage> damaged) {
        this.window = window;
        this.segment = segment;
        this.verifyPayloads = verifyPayloads;
        this.maxEpoch = maxEpoch;
        this.damaged = damaged;
        this.lastSequence = segment.firstSequence() - 1;
        this.lastEpoch = segment.epoch();
    }

    /** Memory for {@link #skippingPayloads}, which may be used for one segment after the other. */
    static ByteBuffer memory() {
        return SegmentWindow.memory(MAX_SKIPPING_READ_BYTES);
    }

    /** Does not look at payloads; reads much at a time where they are small. */
    static SegmentScanner skippingPayloads(
            StorageFile file, ByteBuffer memory, SegmentHeader segment, long maxEpoch, Consumer<LogDamage> damaged)
            throws StorageException {
        return new SegmentScanner(
                new SegmentWindow(file, memory, SKIPPING_READ_BYTES), segment, false, maxEpoch, damaged);
    }

    /**
     * Where a scan ended.
     *
     * @param endOffset the offset after the last record
     * @param lastSequence the last record's number
     * @param sealed whether that was the seal
     * @param torn whether what follows is the beginning of something that was not finished
     */
    record End(long endOffset, long lastSequence, boolean sealed, boolean torn) {}

    /**
     * Shows the records from {@code fromOffset} up to {@code limitOffset} or the segment's end.
     *
     * @param mustBeSealed whether the segment is known to have been finished: then a missing end is damage too
     */
    End scan(long fromOffset, long limitOffset, boolean mustBeSealed, RecordVisitor visitor) throws StorageException {
        long offset = Math.max(fromOffset, LogFormat.BLOCK_BYTES);
        boolean knowsLast = offset == LogFormat.BLOCK_BYTES;
        while (offset < limitOffset) {
            RecordHeader header = valid(offset, verifyPayloads);
            if (header == null) {
                RecordHeader next = knowsLast ? resume(offset, mustBeSealed) : firstValidFrom(offset, verifyPayloads);
                if (next == null) {
                    boolean torn = survivors || looksTorn(offset);
                    if (mustBeSealed) {
                        report(offset, window.fileSize(), lastSequence + 1);
                    }
                    return new End(offset, lastSequence, false, torn);
                }
                report(offset, next.position().offset(), next.sequence() - 1);
                header = next;
                offset = next.position().offset();
            }
            knowsLast = true;
            lastSequence = header.sequence();
            lastEpoch = header.epoch();
            offset += header.lengthBytes();
            if (header.kind() == LogFormat.KIND_SEAL) {
                return new End(offset, lastSequence, true, false);
            }
            if (header.kind() <= LogRecord.MAX_KIND) {
                visitor.record(header.toRecord(body(header)));
            }
        }
        return new End(offset, lastSequence, false, false);
    }

    private void report(long from, long to, long lastMissing) {
        damaged.accept(new LogDamage(
                new LogPosition(segment.number(), from),
                to - from,
                lastSequence + 1,
                Math.max(lastMissing, lastSequence + 1)));
    }

    /** The next readable record after a bad place, or null if the log ends here. */
    private @Nullable RecordHeader resume(long badOffset, boolean mustBeSealed) throws StorageException {
        long missing = lastSequence + 1;
        long from = badOffset + LogFormat.RECORD_ALIGNMENT_BYTES;
        if (mustBeSealed) { // a record whose payload is damaged is one, behind a gap as elsewhere
            return firstValidFrom(from, verifyPayloads);
        }
        RecordHeader first = firstValidFrom(from, true);
        survivors = first != null;
        RecordHeader proof = first;
        long savedSequence = lastSequence;
        long savedEpoch = lastEpoch;
        while (proof != null && proof.groupSequence() <= missing) {
            lastSequence = proof.sequence();
            lastEpoch = proof.epoch();
            proof = firstValidFrom(proof.position().offset() + proof.lengthBytes(), true);
        }
        lastSequence = savedSequence;
        lastEpoch = savedEpoch;
        return proof == null ? null : first;
    }

    private @Nullable RecordHeader firstValidFrom(long offset, boolean withPayload) throws StorageException {
        int step = LogFormat.RECORD_ALIGNMENT_BYTES;
        long at = window.find(LogFormat.RECORD_MAGIC, offset, step);
        while (at >= 0) {
            RecordHeader header = valid(at, withPayload);
            if (header != null) {
                return header;
            }
            at = window.find(LogFormat.RECORD_MAGIC, at + step, step);
        }
        return null;
    }

    /** The record at {@code offset} if it is whole, in its place, and follows what was read before. */
    private @Nullable RecordHeader valid(long offset, boolean withPayload) throws StorageException {
        int at = window.locate(offset, LogFormat.RECORD_HEADER_BYTES);
        if (at < 0) {
            return null;
        }
        RecordHeader header =
                RecordHeader.tryRead(window.bytes(), at, segment.log(), new LogPosition(segment.number(), offset));
        if (header == null
                || header.sequence() <= lastSequence
                || header.epoch() < lastEpoch
                || header.epoch() > maxEpoch
                || offset + header.lengthBytes() > window.fileSize()) {
            return null;
        }
        if (RecordHeader.versionAt(window.bytes(), at) > LogFormat.VERSION) {
            throw new FormatTooNewException("segment " + segment.number() + " holds a record of log format "
                    + RecordHeader.versionAt(window.bytes(), at) + " at " + offset + ". Use the newer version.");
        }
        long bodyCrc = window.crc32c(offset + LogFormat.RECORD_HEADER_BYTES, header.bodyLength());
        if ((int) bodyCrc != header.bodyCrc32c()) {
            return null;
        }
        if (withPayload && header.payloadLength() > 0) {
            long crc = window.crc32c(offset + header.payloadOffset(), header.payloadLength());
            return (int) crc == header.payloadCrc32c() ? header : null;
        }
        return header;
    }

    private byte[] body(RecordHeader header) throws StorageException {
        byte[] body = new byte[header.bodyLength()];
        window.copy(header.position().offset() + LogFormat.RECORD_HEADER_BYTES, body);
        return body;
    }

    /** Whether something other than zeroes or a recycled file's old records follows the end of the log. */
    private boolean looksTorn(long offset) throws StorageException {
        int at = window.locate(offset, LogFormat.RECORD_HEADER_BYTES);
        if (at < 0) {
            return offset < window.fileSize();
        }
        if (RecordHeader.tryRead(window.bytes(), at, segment.log(), new LogPosition(segment.number(), offset))
                != null) {
            return true; // the header is whole: body or payload are not
        }
        if (segment.recycled()) {
            return false; // old bytes are to be expected there
        }
        for (int i = 0; i < LogFormat.RECORD_HEADER_BYTES; i++) {
            if (window.bytes().get(at + i) != 0) {
                return true;
            }
        }
        return false;
    }
}
