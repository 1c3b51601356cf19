package io.hawser.store.log;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.TransferKey;

/** The constants of the log's format, version {@value #VERSION}, each derived from the one before. See the package's page. */
final class LogFormat {
    static final int VERSION = 2;
    static final int OLDEST_VERSION = 2;

    static final int BLOCK_BYTES = FragmentBuffer.ALIGNMENT_BYTES;
    static final int RECORD_ALIGNMENT_BYTES = 8;
    static final int LEAF_BYTES = 32;

    /** "HWLR". */
    static final int RECORD_MAGIC = 0x48574C52;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + Integer.BYTES;
    static final int KIND_OFFSET = VERSION_OFFSET + Byte.BYTES;
    static final int FLAGS_OFFSET = KIND_OFFSET + Byte.BYTES;
    static final int SEQUENCE_OFFSET = FLAGS_OFFSET + Short.BYTES;
    static final int EPOCH_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
    static final int GROUP_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    static final int BODY_LENGTH_OFFSET = GROUP_OFFSET + Integer.BYTES;
    static final int PAYLOAD_LENGTH_OFFSET = BODY_LENGTH_OFFSET + Integer.BYTES;
    static final int KEY_OFFSET = PAYLOAD_LENGTH_OFFSET + Integer.BYTES;
    static final int INDEX_OFFSET = KEY_OFFSET + TransferKey.LENGTH_BYTES;
    static final int LEAF_OFFSET = INDEX_OFFSET + Long.BYTES;
    static final int BODY_CRC_OFFSET = LEAF_OFFSET + LEAF_BYTES;
    static final int PAYLOAD_CRC_OFFSET = BODY_CRC_OFFSET + Integer.BYTES;
    static final int SEGMENT_OFFSET = PAYLOAD_CRC_OFFSET + Integer.BYTES;
    static final int PLACE_OFFSET = SEGMENT_OFFSET + Long.BYTES;
    static final int HEADER_CRC_OFFSET = PLACE_OFFSET + Integer.BYTES;
    static final int RECORD_HEADER_BYTES = HEADER_CRC_OFFSET + Integer.BYTES;

    /** The payload begins at the next block boundary and its last block is filled up. */
    static final int FLAG_BULK = 1;
    /** {@link #KEY_OFFSET} holds a transfer's key. */
    static final int FLAG_KEYED = 2;

    static final int KIND_SEAL = 254;
    static final int KIND_PAD = 255;

    static final int MAX_BULK_BODY_BYTES = BLOCK_BYTES - RECORD_HEADER_BYTES;
    static final int STAGING_BYTES = 1 << 20;
    /** Body and payload of a packed record; a group of one, its padding included, fits the staging buffer. */
    static final int MAX_PACKED_BYTES = STAGING_BYTES - BLOCK_BYTES - RECORD_HEADER_BYTES;
    /** A payload up to this length is packed by copy, if its record fits. */
    static final int MAX_PACKED_PAYLOAD_BYTES = 64 << 10;

    static final int MAX_PAYLOAD_BYTES = 64 << 20;
    static final long MAX_SEGMENT_SIZE_BYTES = 16L << 30; // places are counted in units of 8 bytes, 32 bits
    static final long MAX_EPOCH = 0xFFFF_FFFFL;

    /** "HWSRSEGM". */
    static final long SEGMENT_MAGIC = 0x485753525345474DL;

    private LogFormat() {}

    static int roundUp(int length, int alignment) {
        return (length + alignment - 1) & -alignment;
    }
}
