package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.TransferKey;

/**
 * A fragment in memory: its place in a transfer, its checksums and its bytes.
 *
 * @param key the transfer
 * @param index which fragment, 0-based
 * @param length payload bytes, 0 or more; they lie at {@code offset} of the buffer's payload area
 * @param crc32c CRC32C of the payload
 * @param leaf SHA-256 of the payload as the origin computed it, 32 bytes; not to be modified
 * @param buffer the bytes; code that keeps the fragment after the call retains it
 * @param offset where the payload begins; not 0 only for small transfers, several of which share one buffer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Fragment(
        TransferKey key, long index, int length, int crc32c, byte[] leaf, FragmentBuffer buffer, int offset) {}
