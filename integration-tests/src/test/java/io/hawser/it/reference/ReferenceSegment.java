package io.hawser.it.reference;

import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Finds the records of one segment file. Thread: its owner's. */
final class ReferenceSegment {
    static final int BLOCK_BYTES = 4096;
    static final int VERSION = 2;
    private static final long HEADER_MAGIC = 0x485753525345474DL; // "HWSRSEGM"
    private static final int RECORD_MAGIC = 0x48574C52; // "HWLR"
    private static final int HEADER_BYTES = 128;
    private static final int SEAL = 254;
    private static final int PADDING = 255;
    private static final int BULK = 1;
    private static final int KEYED = 2;

    private final Path path;
    private final long number;
    private final byte[] logId;
    private final byte[] bytes;
    private final ByteBuffer in;
    private final CRC32C crc = new CRC32C();
    private long lastSequence;
    private int damages;
    private long cutAt = -1;

    ReferenceSegment(Path path, long number, byte[] logId, byte[] bytes) {
        this.path = path;
        this.number = number;
        this.logId = logId;
        this.bytes = bytes;
        this.in = ByteBuffer.wrap(bytes);
    }

    /** The log id in a segment's header, or null if the header is damaged. */
    static byte @Nullable [] logIdOf(Path path, long number, byte[] bytes) throws StorageException {
        ByteBuffer header = ByteBuffer.wrap(bytes);
        if (bytes.length < BLOCK_BYTES || header.getLong(0) != HEADER_MAGIC) {
            return null;
        }
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, 56);
        if ((int) sum.getValue() != header.getInt(56)) {
            return null;
        }
        if (header.getShort(8) != VERSION || header.getInt(12) != BLOCK_BYTES || header.getLong(32) != number) {
            throw new StorageException(path + ": a header of version " + header.getShort(8) + ", block size "
                    + header.getInt(12) + " and segment " + header.getLong(32));
        }
        return Arrays.copyOfRange(bytes, 16, 32);
    }

    /** A record and where it ends. */
    private record Found(ReferenceRecord record, int end, long groupStart) {
        boolean is(int kind) {
            return record.kind() == kind;
        }
    }

    /**
     * Appends the records to {@code records}.
     *
     * @param after the number of the last record of the segments before
     * @param newest whether this is the log's last segment, which may end torn
     */
    void read(List<ReferenceRecord> records, long after, boolean newest) throws StorageException {
        lastSequence = after;
        int at = BLOCK_BYTES;
        while (at < bytes.length) {
            Found found = at(at);
            if (found == null || (newest && !found.record.payloadIntact())) {
                if (newest && !laterGroupFollows(at)) {
                    cutAt = at;
                    return;
                }
                damages++;
                found = found == null ? next(at + 8) : found;
                if (found == null) {
                    return;
                }
            }
            ReferenceRecord record = found.record;
            if (record.sequence() <= lastSequence) {
                throw new StorageException(path + ": record " + record.sequence() + " follows record " + lastSequence);
            }
            lastSequence = record.sequence();
            if (found.is(SEAL)) {
                return;
            }
            if (!found.is(PADDING)) {
                records.add(record);
            }
            at = found.end;
        }
    }

    long lastSequence() {
        return lastSequence;
    }

    /** Places that cannot be read although what follows them counts. */
    int damages() {
        return damages;
    }

    /** Where a recovery cuts the segment, or -1. */
    long cutAt() {
        return cutAt;
    }

    private @Nullable Found next(int from) {
        for (int at = from; at < bytes.length; at += 8) {
            Found found = at(at);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private boolean laterGroupFollows(int from) {
        Found found = next(from + 8);
        while (found != null) {
            if (found.groupStart > lastSequence + 1) {
                return true;
            }
            found = next(found.end);
        }
        return false;
    }

    /** The record whose header begins at {@code at}, or null if there is none with the right checksums of header and body. */
    private @Nullable Found at(int at) {
        if (at + HEADER_BYTES > bytes.length
                || in.getInt(at) != RECORD_MAGIC
                || bytes[at + 4] != VERSION
                || in.getLong(at + 112) != number
                || in.getInt(at + 120) != at / 8) {
            return null;
        }
        crc.reset();
        crc.update(logId);
        crc.update(bytes, at, 124);
        if ((int) crc.getValue() != in.getInt(at + 124)) {
            return null;
        }
        int bodyLength = in.getInt(at + 24);
        int payloadLength = in.getInt(at + 28);
        boolean bulk = (in.getShort(at + 6) & BULK) != 0;
        boolean keyed = (in.getShort(at + 6) & KEYED) != 0;
        int bodyEnd = at + HEADER_BYTES + bodyLength;
        int payloadAt = bulk ? at + BLOCK_BYTES : bodyEnd;
        if (bodyEnd > bytes.length || !sums(at + HEADER_BYTES, bodyLength, in.getInt(at + 104))) {
            return null;
        }
        boolean intact =
                payloadAt + payloadLength <= bytes.length && sums(payloadAt, payloadLength, in.getInt(at + 108));
        int unit = bulk ? BLOCK_BYTES : 8;
        int end = (payloadAt + payloadLength + unit - 1) / unit * unit;
        long sequence = in.getLong(at + 8);
        int kind = bytes[at + 5] & 0xFF;
        ReferenceRecord record = new ReferenceRecord(
                sequence,
                kind,
                keyed ? TransferKey.read(in.slice(at + 32, TransferKey.LENGTH_BYTES)) : TransferKey.NONE,
                in.getLong(at + 64),
                kind == PADDING ? new byte[0] : Arrays.copyOfRange(bytes, at + HEADER_BYTES, bodyEnd),
                number,
                payloadAt,
                payloadLength,
                intact);
        return new Found(record, end, sequence - in.getInt(at + 20));
    }

    private boolean sums(int from, int length, int expected) {
        crc.reset();
        crc.update(bytes, from, length);
        return (int) crc.getValue() == expected;
    }
}
