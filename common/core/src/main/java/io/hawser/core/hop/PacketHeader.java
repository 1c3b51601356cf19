package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;

/**
 * The header of a packet: which bytes of which fragment follow.
 *
 * @param key the transfer
 * @param index the fragment, 0-based
 * @param offset where in the fragment the packet's bytes begin
 * @param length how many bytes the packet has, 1 or more
 * @param fragmentLength how many bytes the fragment has
 * @param crc32c CRC32C of the packet's bytes
 * @param leaf SHA-256 of the whole fragment, 32 bytes
 * @param resent whether the fragment had been sent before
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PacketHeader(
        TransferKey key,
        long index,
        int offset,
        int length,
        int fragmentLength,
        int crc32c,
        byte[] leaf,
        boolean resent) {}
