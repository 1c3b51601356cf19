package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;

/** A receiver's decision where a packet's bytes go. */
public sealed interface PacketPlace {
    /** Into this buffer's payload area, at {@code offset}. The caller gets a reference of its own and releases it. */
    record Into(FragmentBuffer buffer, int offset) implements PacketPlace {}

    /** Nowhere: read it and forget it. */
    record Discard() implements PacketPlace {}

    /** Not now: no memory is free. Ask again when the pool has a buffer. */
    record PutOff() implements PacketPlace {}

    /**
     * Not now: the sender has used up what it may take. Ask again after the sender's next message, after an ack to it, or after the next
     * tick.
     */
    record Wait() implements PacketPlace {}
}
