package io.hawser.store.log;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads single records by their position, and believes nothing that it has not checked.
 *
 * <p>Thread: any; it blocks.
 */
record RecordLookup(LogId id, SegmentCatalog catalog, SegmentHandles handles) {
    private static final int FIRST_READ_BYTES = 16 << 10;

    LogRecord read(LogPosition position, int expectedPayloadLength, @Nullable FragmentBuffer into)
            throws StorageException {
        try (SegmentHandles.Handle handle = handles.acquire(position.segment())) {
            return read(handle.file(), position, expectedPayloadLength, into);
        } catch (CorruptRecordException e) {
            if (catalog.get(position.segment()) == null) { // it was deleted and used again while it was read
                throw new PathMissingException("segment " + position.segment() + " is no longer there", e);
            }
            throw e;
        }
    }

    private LogRecord read(StorageFile file, LogPosition position, int expected, @Nullable FragmentBuffer into)
            throws StorageException {
        if (into != null
                && expected > LogFormat.MAX_PACKED_PAYLOAD_BYTES
                && expected <= into.payloadCapacity()
                && position.offset() % LogFormat.BLOCK_BYTES == 0) {
            ByteBuffer both = into.headerAndPayload(expected);
            file.read(both, position.offset());
            RecordHeader header = header(both.flip(), 0, position, file);
            if (header.bulk() && header.payloadLength() == expected) {
                byte[] body = body(both, LogFormat.RECORD_HEADER_BYTES, header, file);
                checkPayload(into.payload(0, expected), header, file);
                return header.toRecord(body);
            }
        }
        return readInSteps(file, position, into);
    }

    private LogRecord readInSteps(StorageFile file, LogPosition position, @Nullable FragmentBuffer into)
            throws StorageException {
        long blockStart = position.offset() / LogFormat.BLOCK_BYTES * LogFormat.BLOCK_BYTES;
        int at = (int) (position.offset() - blockStart);
        ByteBuffer bytes = ByteBuffer.allocate(FIRST_READ_BYTES);
        file.read(bytes, blockStart);
        RecordHeader header = header(bytes.flip(), at, position, file);
        int needed = LogFormat.RECORD_HEADER_BYTES
                + header.bodyLength()
                + (header.bulk() || into == null ? 0 : header.payloadLength());
        if (at + needed > bytes.limit()) {
            bytes = ByteBuffer.allocate(LogFormat.roundUp(at + needed, LogFormat.BLOCK_BYTES));
            file.read(bytes, blockStart);
            bytes.flip();
            header = header(bytes, at, position, file);
        }
        byte[] body = body(bytes, at + LogFormat.RECORD_HEADER_BYTES, header, file);
        if (into != null) {
            readPayload(file, header, bytes, at, into);
        }
        return header.toRecord(body);
    }

    private void readPayload(StorageFile file, RecordHeader header, ByteBuffer bytes, int at, FragmentBuffer into)
            throws StorageException {
        int length = header.payloadLength();
        if (length > into.payloadCapacity()) {
            throw new StorageException(where(file, header.position()) + ": a payload of " + length
                    + " bytes does not fit a buffer of " + into.payloadCapacity());
        }
        if (header.bulk()) {
            file.read(into.paddedPayload(length), header.position().offset() + LogFormat.BLOCK_BYTES);
        } else {
            int from = at + header.payloadOffset();
            if (from + length > bytes.limit()) {
                throw ended(file, header.position());
            }
            into.payload(0, length).put(bytes.slice(from, length));
        }
        checkPayload(into.payload(0, length), header, file);
    }

    private RecordHeader header(ByteBuffer bytes, int at, LogPosition position, StorageFile file)
            throws CorruptRecordException {
        RecordHeader header = RecordHeader.tryRead(bytes, at, id, position);
        if (header == null) {
            throw new CorruptRecordException(
                    where(file, position) + ": no valid record header, or one that belongs elsewhere");
        }
        return header;
    }

    private static byte[] body(ByteBuffer bytes, int from, RecordHeader header, StorageFile file)
            throws CorruptRecordException {
        if (from + header.bodyLength() > bytes.limit()) {
            throw ended(file, header.position());
        }
        byte[] body = new byte[header.bodyLength()];
        bytes.get(from, body);
        int found = Crc32c.of(body);
        if (found != header.bodyCrc32c()) {
            throw mismatch("body", file, header.position(), header.bodyCrc32c(), found);
        }
        return body;
    }

    private static void checkPayload(ByteBuffer payload, RecordHeader header, StorageFile file)
            throws CorruptRecordException {
        int found = Crc32c.of(payload);
        if (found != header.payloadCrc32c()) {
            throw mismatch("payload", file, header.position(), header.payloadCrc32c(), found);
        }
    }

    private static CorruptRecordException mismatch(
            String part, StorageFile file, LogPosition position, int expected, int found) {
        return new CorruptRecordException(String.format(
                "%s: the %s should have CRC32C %08x and has %08x", where(file, position), part, expected, found));
    }

    private static CorruptRecordException ended(StorageFile file, LogPosition position) {
        return new CorruptRecordException(where(file, position) + ": the file ends before the record does");
    }

    private static String where(StorageFile file, LogPosition position) {
        return file.path() + " at " + position.offset();
    }
}
