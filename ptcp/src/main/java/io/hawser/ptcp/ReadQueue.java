package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A queue of bytes for a reader. Copies small pieces together, so that memory stays in proportion to the bytes.
 *
 * <p>Thread: guarded by its owner's lock.
 */
final class ReadQueue {
    private static final int SMALL_BYTES = 4 << 10;
    private static final int JOINED_BYTES = 16 << 10;

    private final Deque<ByteBuf> buffers = new ArrayDeque<>();
    private int bytes;

    /** Takes ownership. */
    void add(ByteBuf next) {
        int length = next.readableBytes();
        bytes += length;
        ByteBuf last = buffers.peekLast();
        if (length > SMALL_BYTES || last == null) {
            buffers.add(next);
            return;
        }
        try {
            if (last.writableBytes() < length) {
                last = PooledByteBufAllocator.DEFAULT.directBuffer(JOINED_BYTES, JOINED_BYTES);
                buffers.add(last);
            }
            last.writeBytes(next);
        } finally {
            next.release();
        }
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    int bytes() {
        return bytes;
    }

    /** The first bytes, at least one and at most {@code most}; the queue must not be empty. The caller owns them. */
    ByteBuf take(int most) {
        ByteBuf first = buffers.element();
        int count = Math.min(most, first.readableBytes());
        bytes -= count;
        return count == first.readableBytes() ? buffers.remove() : first.readRetainedSlice(count);
    }

    void release() {
        buffers.forEach(ByteBuf::release);
        buffers.clear();
        bytes = 0;
    }
}
