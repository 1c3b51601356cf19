package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;

/** A receiver's decision where a packet's bytes go. */
public sealed interface PacketPlacement {
    /** Into this buffer's payload area, at {@code offset}. The caller owns one reference of the buffer and releases it. */
    record InBuffer(FragmentBuffer buffer, int offset) implements PacketPlacement {}

    /** Nowhere: read the bytes and discard them. */
    record Discard() implements PacketPlacement {}

    /** Not now: no memory is free. Ask again when the pool has a buffer. */
    record AwaitMemory() implements PacketPlacement {}

    /**
     * Not now: the sender has used up its credit or its allowance. Ask again after the sender's next message, after an ack to it, or after
     * the next tick.
     */
    record AwaitAllowance() implements PacketPlacement {}
}
