package io.hawser.ptcp.stream;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Memory that a writer fills from its beginning, while packets are cut from what is filled already. What was filled never
 * changes, so the two do not disturb each other.
 *
 * <p>Thread: guarded by its owner's lock, but for {@link #put}.
 */
final class WrittenBlock {
    private final ByteBuf memory;
    private final ByteBuffer view;
    private int filled;
    private int cut;

    /** Takes ownership of {@code memory}, whose capacity it uses. */
    WrittenBlock(ByteBuf memory) {
        this.memory = memory;
        // A view of its own: the one that the buffer keeps for itself belongs to whoever sends.
        view = memory.nioBuffer(0, memory.capacity());
    }

    /** Bytes that have a place behind those that are filled. */
    int place() {
        return view.capacity() - filled;
    }

    /** Bytes that are filled and not cut. */
    int waiting() {
        return filled - cut;
    }

    /** Whether nothing more can be filled. */
    boolean isFull() {
        return place() == 0;
    }

    /** Whoever copies without the lock keeps the memory alive. */
    void retain() {
        memory.retain();
    }

    void release() {
        memory.release();
    }

    /** Copies to where nobody looks yet; {@link #publish} shows it. One writer at a time, with or without the lock. */
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
