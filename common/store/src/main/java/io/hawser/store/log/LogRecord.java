package io.hawser.store.log;

import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * A record of the log without its payload.
 *
 * @param kind what it is, 1 to {@value #MAX_KIND}; each user of a log has kinds of its own
 * @param sequence its number: ascending over the log's lifetime, from 1; numbers may be left out
 * @param epoch the run of the node in which it was written
 * @param position where it is
 * @param lengthBytes the bytes that it takes in its segment, padding included
 * @param key the transfer that it is about, if any
 * @param index the fragment's index, or whatever its kind makes of it
 * @param leaf 32 bytes: SHA-256 of the payload as the origin computed it, or zeroes; not to be changed by anyone
 * @param body the small part, not to be changed by anyone
 * @param payloadLength bytes of payload, 0 if there is none
 * @param payloadCrc32c CRC32C of the payload, or 0 where it is kept with the payload alone
 * @param place where its payload is read from: its own position but in a {@link DetachedPayloadLog}
 * @param placeLength from its payload's place to the next
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LogRecord(
        int kind,
        long sequence,
        long epoch,
        LogPosition position,
        long lengthBytes,
        @Nullable TransferKey key,
        long index,
        byte[] leaf,
        byte[] body,
        int payloadLength,
        int payloadCrc32c,
        LogPosition place,
        long placeLength) {
    /** The highest kind that a user of a log may choose; those above are the log's own. */
    public static final int MAX_KIND = 127;
}
