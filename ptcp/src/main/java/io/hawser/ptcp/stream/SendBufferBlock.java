package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * A block of memory that a writer fills while packets are cut from its filled part. Filled bytes never change, so both can work at once.
 *
 * <p>Thread: guarded by its owner's lock, except {@link #put}.
 */
final class SendBufferBlock {
    private final ByteBuf memory;
    private final ByteBuffer view;
    private int filled;
    private int cut;

    /** Takes ownership of {@code memory}, whose capacity it uses. */
    SendBufferBlock(ByteBuf memory) {
        this.memory = memory;
        // Its own view: the buffer's internal one is used by the sending thread.
        view = memory.nioBuffer(0, memory.capacity());
    }

    /** Free bytes. */
    int place() {
        return view.capacity() - filled;
    }

    /** Filled bytes that are not cut. */
    int waiting() {
        return filled - cut;
    }

    /** Whether nothing more can be filled. */
    boolean isFull() {
        return place() == 0;
    }

    /** Keeps the memory alive for a copy without the lock. */
    void retain() {
        memory.retain();
    }

    void release() {
        memory.release();
    }

    /** Copies into the free part; {@link #publish} adds it. One writer at a time, with or without the lock. */
    void put(byte[] bytes, int offset, int length) {
        view.put(filled, bytes, offset, length);
    }

    void publish(int length) {
        filled += length;
    }

    /** The next bytes that wait, 1 to {@link #waiting}. The caller owns the slice. */
    ByteBuf cut(int length) {
        ByteBuf bytes = memory.retainedSlice(cut, length);
        cut += length;
        return bytes;
    }
}
