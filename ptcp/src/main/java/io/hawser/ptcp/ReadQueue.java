package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Bytes in order that wait for a reader. Small pieces are copied together, so that the memory is in proportion to the bytes.
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
        if (length > SMALL_BYTES) {
            buffers.add(next);
            return;
        }
        try {
            ByteBuf last = buffers.peekLast();
            if (last == null || last.writableBytes() < length) {
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

    /** Reads from the first buffer. */
    int read(byte[] target, int offset, int length) {
        ByteBuf first = buffers.element();
        int count = Math.min(length, first.readableBytes());
        first.readBytes(target, offset, count);
        bytes -= count;
        if (!first.isReadable()) {
            buffers.remove().release();
        }
        return count;
    }

    void release() {
        buffers.forEach(ByteBuf::release);
        buffers.clear();
        bytes = 0;
    }
}
