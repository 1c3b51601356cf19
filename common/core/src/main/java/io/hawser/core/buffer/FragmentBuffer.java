package io.hawser.core.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one fragment: a header block of {@value #ALIGNMENT_BYTES} bytes, followed by the payload area. Both begin at a block boundary,
 * so that header and payload are written by one O_DIRECT write.
 *
 * <p>Counted by references: {@link FragmentBufferPool#tryAcquire()} returns it with a count of one; code that keeps it longer than a call
 * retains and later releases it; at zero it returns to its pool. A callee does not take ownership unless its Javadoc says so.
 *
 * <p>Thread: any for retain and release. One thread fills the bytes; after it passes the buffer on they are read-only.
 */
public final class FragmentBuffer extends AbstractReferenceCounted {
    /** Block size that every file system here accepts for O_DIRECT. */
    public static final int ALIGNMENT_BYTES = 4096;

    private final FragmentBufferPool pool;
    private final ByteBuffer memory;
    private final int payloadCapacity;
    /** Guarded by the pool's lock. */
    private boolean aside;
    /** Who wants to know when the last reference is gone; set by whoever holds one. */
    private volatile @Nullable Runnable whenFree;

    FragmentBuffer(FragmentBufferPool pool, int payloadCapacity) {
        this.pool = pool;
        this.payloadCapacity = payloadCapacity;
        this.memory = ByteBuffer.allocateDirect(bytes(payloadCapacity))
                .alignedSlice(ALIGNMENT_BYTES)
                .slice(0, roundUp(payloadCapacity) + ALIGNMENT_BYTES);
    }

    /** The bytes of memory of a buffer for payloads of up to {@code payloadCapacity} bytes. */
    public static int bytes(int payloadCapacity) {
        return roundUp(payloadCapacity) + 2 * ALIGNMENT_BYTES;
    }

    /** {@code length} rounded up to a whole number of blocks. */
    public static int roundUp(int length) {
        return (length + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }

    /** The most payload bytes. */
    public int payloadCapacity() {
        return payloadCapacity;
    }

    /** A view of the header block: position 0, limit {@value #ALIGNMENT_BYTES}, big-endian. */
    public ByteBuffer header() {
        return memory.slice(0, ALIGNMENT_BYTES);
    }

    /** A view of payload bytes {@code [offset, offset + length)}: position 0, limit {@code length}, big-endian. */
    public ByteBuffer payload(int offset, int length) {
        return memory.slice(ALIGNMENT_BYTES + offset, length);
    }

    /**
     * A view of the header block and the payload's first {@code payloadLength} bytes, rounded up to whole blocks for an O_DIRECT write. The
     * bytes after the payload are undefined; see {@link #zeroPadding}.
     */
    public ByteBuffer headerAndPayload(int payloadLength) {
        return memory.slice(0, ALIGNMENT_BYTES + roundUp(payloadLength));
    }

    /** A view of the payload's first {@code payloadLength} bytes, rounded up to whole blocks. */
    public ByteBuffer paddedPayload(int payloadLength) {
        return memory.slice(ALIGNMENT_BYTES, roundUp(payloadLength));
    }

    /** Zeroes the bytes between {@code payloadLength} and the end of its last block. */
    public void zeroPadding(int payloadLength) {
        for (int i = ALIGNMENT_BYTES + payloadLength; i < ALIGNMENT_BYTES + roundUp(payloadLength); i++) {
            memory.put(i, (byte) 0);
        }
    }

    /**
     * Payload bytes {@code [offset, offset + length)} as a Netty buffer that shares the memory, with reader index 0 and writer index {@code
     * length}. It retains this buffer until it is released.
     */
    public ByteBuf retainedPayload(int offset, int length) {
        retain();
        return new UnpooledDirectByteBuf(UnpooledByteBufAllocator.DEFAULT, payload(offset, length), length) {
            @Override
            protected void deallocate() {
                super.deallocate();
                FragmentBuffer.this.release();
            }
        };
    }

    /**
     * Sets the buffer aside, if its pool allows one more: its bytes are kept for later, and until it is released it does not count as in use.
     * The caller holds a reference.
     *
     * @return whether it is set aside now
     */
    public boolean setAside() {
        return pool.setAside(this);
    }

    boolean isAside() {
        return aside;
    }

    void aside(boolean value) {
        aside = value;
    }

    /** Runs it once, when the last reference is gone, on the thread that drops it; there it only posts to its own thread. */
    public void whenFree(Runnable then) {
        whenFree = then;
    }

    @Override
    public FragmentBuffer retain() {
        super.retain();
        return this;
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }

    @Override
    protected void deallocate() {
        Runnable then = whenFree;
        whenFree = null;
        pool.giveBack(this);
        if (then != null) {
            FragmentBufferPool.wake(then);
        }
    }

    void reuse() {
        setRefCnt(1);
    }
}
