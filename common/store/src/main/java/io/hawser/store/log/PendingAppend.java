package io.hawser.store.log;

import io.hawser.core.hop.Fragment;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * An append that waits for the writer.
 *
 * @param fragment its payload, whose buffer is retained while this waits; null if it has none
 * @param roll whether this is no record, but the wish to begin another segment
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PendingAppend(
        int kind,
        @Nullable TransferKey key,
        long index,
        byte[] body,
        @Nullable Fragment fragment,
        boolean roll,
        AppendCallback done) {
    private static final int OBJECT_BYTES = 128;

    int payloadLength() {
        return fragment == null ? 0 : fragment.length();
    }

    /** Whether the payload is written from where it is. */
    boolean bulk() {
        return fragment != null && fragment.offset() == 0 && fragment.length() > LogFormat.MAX_PACKED_PAYLOAD_BYTES;
    }

    /** The bytes that it takes in the segment. */
    int lengthBytes() {
        return bulk()
                ? LogFormat.BLOCK_BYTES + LogFormat.roundUp(payloadLength(), LogFormat.BLOCK_BYTES)
                : RecordHeader.packedLength(body.length, payloadLength());
    }

    /** The heap that it takes while it waits. */
    long heapBytes() {
        return OBJECT_BYTES + (long) body.length;
    }

    void releasePayload() {
        if (fragment != null) {
            fragment.buffer().release();
        }
    }
}
