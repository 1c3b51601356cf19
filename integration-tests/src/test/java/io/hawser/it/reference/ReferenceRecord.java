package io.hawser.it.reference;

import io.hawser.core.model.TransferKey;

/**
 * A record of a log, as it was found. Seals and padding are not shown. It is a value: any thread may have it.
 *
 * @param key {@link TransferKey#NONE} if it has none
 * @param body not to be modified
 * @param payloadPosition where its payload begins in its segment
 * @param payloadIntact whether the payload's checksum is right
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ReferenceRecord(
        long sequence,
        int kind,
        TransferKey key,
        long index,
        byte[] body,
        long segment,
        long payloadPosition,
        int payloadLength,
        boolean payloadIntact) {}
