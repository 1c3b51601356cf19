package io.hawser.store.log;

import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.FormatTooNewException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a log's file {@code segments}: which segments the log has. {@code docs/reference/format-log.md} has the bytes.
 *
 * @param log the id of the log that the entry belongs to
 * @param generation rises with each entry
 * @param first from this number on no segment may be missing; what is below may be deleted at any time
 * @param last the newest segment's number; less than {@code first} where the log has none
 * @param lastRecord the sequence of a record that was durable when the entry was written; 0 if there was none
 */
record SegmentListEntry(LogId log, long generation, long first, long last, long lastRecord) {
    static final int VERSION = 1;
    /** "HWSRLIST". */
    private static final long MAGIC = 0x485753524C495354L;

    static final int VERSION_OFFSET = Long.BYTES;
    private static final int LOG_OFFSET = 16;
    private static final int GENERATION_OFFSET = LOG_OFFSET + LogId.LENGTH_BYTES;
    private static final int FIRST_OFFSET = GENERATION_OFFSET + Long.BYTES;
    private static final int LAST_OFFSET = FIRST_OFFSET + Long.BYTES;
    private static final int LAST_RECORD_OFFSET = LAST_OFFSET + Long.BYTES;
    private static final int CRC_OFFSET = LAST_RECORD_OFFSET + Long.BYTES;

    SegmentListEntry after(long newFirst, long newLast, long newLastRecord) {
        return new SegmentListEntry(log, generation + 1, newFirst, newLast, newLastRecord);
    }

    /** The entry as a whole block, position 0. */
    ByteBuffer toBlock() {
        ByteBuffer block = ByteBuffer.allocate(LogFormat.BLOCK_BYTES);
        block.putLong(MAGIC).putShort((short) VERSION).position(LOG_OFFSET);
        block.putLong(log.high()).putLong(log.low());
        block.putLong(generation).putLong(first).putLong(last).putLong(lastRecord);
        block.putInt(checksum(block));
        return block.rewind();
    }

    /**
     * The entry in {@code block} of the file {@code path}, or null if there is no whole one.
     *
     * @throws FormatTooNewException if a later version wrote it
     */
    static @Nullable SegmentListEntry tryRead(ByteBuffer block, Path path) throws FormatTooNewException {
        if (block.limit() < LogFormat.BLOCK_BYTES
                || block.getLong(0) != MAGIC
                || block.getInt(CRC_OFFSET) != checksum(block)) {
            return null;
        }
        int version = Short.toUnsignedInt(block.getShort(VERSION_OFFSET));
        if (version > VERSION) {
            throw new FormatTooNewException(path + " has format " + version + ", this version of Hawser knows up to "
                    + VERSION + ". Use the newer version; nothing was changed.");
        }
        return new SegmentListEntry(
                new LogId(block.getLong(LOG_OFFSET), block.getLong(LOG_OFFSET + Long.BYTES)),
                block.getLong(GENERATION_OFFSET),
                block.getLong(FIRST_OFFSET),
                block.getLong(LAST_OFFSET),
                block.getLong(LAST_RECORD_OFFSET));
    }

    private static int checksum(ByteBuffer block) {
        return Crc32c.of(block.slice(0, CRC_OFFSET));
    }
}
