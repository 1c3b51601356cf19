package io.hawser.store.log;

import io.hawser.core.integrity.Crc32c;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.FormatTooOldException;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The first block of a segment. Magic, version and the place of the checksum are the same in every version.
 *
 * @param log the id of the log that the segment belongs to
 * @param number the segment's number
 * @param firstSequence the number of its first record
 * @param epoch the run of the node in which it was begun
 * @param recycled whether the file was a spare, so that old bytes may follow its last record
 */
record SegmentHeader(LogId log, long number, long firstSequence, long epoch, boolean recycled) {
    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int FLAGS_OFFSET = VERSION_OFFSET + Short.BYTES;
    static final int BLOCK_OFFSET = FLAGS_OFFSET + Short.BYTES;
    static final int LOG_OFFSET = BLOCK_OFFSET + Integer.BYTES;
    static final int NUMBER_OFFSET = LOG_OFFSET + LogId.LENGTH_BYTES;
    static final int FIRST_SEQUENCE_OFFSET = NUMBER_OFFSET + Long.BYTES;
    static final int EPOCH_OFFSET = FIRST_SEQUENCE_OFFSET + Long.BYTES;
    static final int CRC_OFFSET = EPOCH_OFFSET + Long.BYTES;
    private static final short RECYCLED = 1;

    /** The header as a whole block, position 0. */
    ByteBuffer toBlock() {
        ByteBuffer block = ByteBuffer.allocate(LogFormat.BLOCK_BYTES);
        block.putLong(LogFormat.SEGMENT_MAGIC)
                .putShort((short) LogFormat.VERSION)
                .putShort(recycled ? RECYCLED : 0)
                .putInt(LogFormat.BLOCK_BYTES)
                .putLong(log.high())
                .putLong(log.low())
                .putLong(number)
                .putLong(firstSequence)
                .putLong(epoch);
        block.putInt(checksum(block));
        return block.rewind();
    }

    static SegmentHeader read(ByteBuffer block, Path path) throws StorageException {
        if (block.limit() < LogFormat.BLOCK_BYTES || block.getLong(MAGIC_OFFSET) != LogFormat.SEGMENT_MAGIC) {
            throw new CorruptRecordException(path + " does not begin like a segment of a log");
        }
        if (block.getInt(CRC_OFFSET) != checksum(block)) {
            throw new CorruptRecordException(path + ": the segment header does not agree with its checksum");
        }
        int version = Short.toUnsignedInt(block.getShort(VERSION_OFFSET));
        if (version > LogFormat.VERSION) {
            throw new FormatTooNewException(
                    path + " has log format " + version + ", this version of Hawser knows up to " + LogFormat.VERSION
                            + ". Use the newer version; nothing was changed.");
        }
        if (version < LogFormat.OLDEST_VERSION) {
            throw new FormatTooOldException(
                    path + " has log format " + version + ", this version of Hawser reads from "
                            + LogFormat.OLDEST_VERSION
                            + ". Let the older version deliver everything, then begin with an empty directory; nothing was changed.");
        }
        if (block.getInt(BLOCK_OFFSET) != LogFormat.BLOCK_BYTES) {
            throw new CorruptRecordException(path + ": block size " + block.getInt(BLOCK_OFFSET));
        }
        return new SegmentHeader(
                new LogId(block.getLong(LOG_OFFSET), block.getLong(LOG_OFFSET + Long.BYTES)),
                block.getLong(NUMBER_OFFSET),
                block.getLong(FIRST_SEQUENCE_OFFSET),
                block.getLong(EPOCH_OFFSET),
                (block.getShort(FLAGS_OFFSET) & RECYCLED) != 0);
    }

    private static int checksum(ByteBuffer block) {
        return Crc32c.of(block.slice(0, CRC_OFFSET));
    }
}
