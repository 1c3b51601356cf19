package io.hawser.ptcp.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledUnsafeDirectByteBuf;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Direct memory for packets. Netty's pools give a chunk back to the system when its last buffer is released, which with buffers of
 * a megabyte happens all the time, and a new one is cleared and faulted in page by page: that cost more than to copy the bytes. Here
 * what is released is kept and used again, the last first, since caches may still hold it. What nobody has needed for some seconds
 * is given back.
 *
 * <p>Blocks have a power of two of bytes; a buffer from the pool shows as many as were asked for. Short ones come from Netty's pool.
 *
 * <p>Thread: any.
 */
public final class BlockPool {
    private static final int LEAST_SHIFT = 16;
    private static final int MOST_SHIFT = 20;

    /** The longest buffer of the pool. */
    public static final int MOST_BYTES = 1 << MOST_SHIFT;

    /** Most memory that is kept for later; less where the program may have little. */
    private static final long KEPT_BYTES = 24L << 20;

    private static final int KEPT_SHARE = 4;
    private static final long TRIM_SECONDS = 5;

    /** What waits for a trim, in seconds; how is the caller's choice. */
    @FunctionalInterface
    public interface Timer {
        /** Runs {@code task} after {@code seconds}. */
        void after(long seconds, Runnable task);
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Shelf> shelves = new ArrayList<>();
    private final long mostKept = Math.min(KEPT_BYTES, PlatformDependent.maxDirectMemory() / KEPT_SHARE);
    private final Timer timer;
    private long kept;
    private long lent;
    private boolean trimDue;

    /** Blocks of one length. */
    private static final class Shelf {
        private final Deque<ByteBuffer> free = new ArrayDeque<>();
        /** As many were not needed since the last trim. */
        private int idle;
    }

    /** Creates an empty pool. */
    public BlockPool(Timer timer) {
        this.timer = timer;
        for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
            shelves.add(new Shelf());
        }
    }

    /**
     * Memory of exactly {@code length} bytes, empty. Its release gives it back.
     *
     * @param length 1 to {@value #MOST_BYTES}
     */
    public ByteBuf take(int length) {
        if (length <= 1 << (LEAST_SHIFT - 1)) {
            return PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        }
        int shelf = shelfOf(length);
        ByteBuffer memory = takeFrom(shelf);
        ByteBuffer shown = memory.duplicate().clear().limit(length);
        ByteBuf buffer = PlatformDependent.hasUnsafe()
                ? new UnsafeBlock(this, memory, shown.slice())
                : new Block(this, memory, shown.slice());
        return buffer.setIndex(0, 0);
    }

    private static int shelfOf(int length) {
        int shift = Integer.SIZE - Integer.numberOfLeadingZeros(length - 1);
        if (shift > MOST_SHIFT) {
            throw new IllegalArgumentException("a block of " + length + " bytes");
        }
        return Math.max(0, shift - LEAST_SHIFT);
    }

    private ByteBuffer takeFrom(int number) {
        lock.lock();
        try {
            lent++;
            Shelf shelf = shelves.get(number);
            ByteBuffer memory = shelf.free.pollLast();
            if (memory != null) {
                kept -= memory.capacity();
                shelf.idle = Math.min(shelf.idle, shelf.free.size());
                return memory;
            }
        } finally {
            lock.unlock();
        }
        try {
            return ByteBuffer.allocateDirect(1 << (LEAST_SHIFT + number));
        } catch (OutOfMemoryError e) {
            onNotTaken();
            throw e;
        }
    }

    private void onNotTaken() {
        lock.lock();
        try {
            lent--;
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(ByteBuffer memory) {
        boolean drop;
        boolean trim = false;
        lock.lock();
        try {
            lent--;
            drop = kept + memory.capacity() > mostKept;
            if (!drop) {
                kept += memory.capacity();
                shelves.get(shelfOf(memory.capacity())).free.addLast(memory);
                trim = !trimDue;
                trimDue = true;
            }
        } finally {
            lock.unlock();
        }
        if (drop) {
            free(memory);
        } else if (trim) {
            timer.after(TRIM_SECONDS, this::trim);
        }
    }

    /** Gives back what was not needed since the last time. */
    private void trim() {
        List<ByteBuffer> unneeded = new ArrayList<>();
        boolean again;
        lock.lock();
        try {
            for (Shelf shelf : shelves) {
                for (int i = 0; i < shelf.idle; i++) {
                    ByteBuffer memory = shelf.free.removeFirst();
                    kept -= memory.capacity();
                    unneeded.add(memory);
                }
                shelf.idle = shelf.free.size();
            }
            again = kept > 0;
            trimDue = again;
        } finally {
            lock.unlock();
        }
        unneeded.forEach(BlockPool::free);
        if (again) {
            timer.after(TRIM_SECONDS, this::trim);
        }
    }

    @SuppressWarnings("deprecation") // the only way to free what the JDK has allocated at once
    private static void free(ByteBuffer memory) {
        PlatformDependent.freeDirectBuffer(memory);
    }

    /** Bytes that are kept for later. */
    public long keptBytes() {
        lock.lock();
        try {
            return kept;
        } finally {
            lock.unlock();
        }
    }

    /** How many blocks were taken and not released. */
    public long lentBlocks() {
        lock.lock();
        try {
            return lent;
        } finally {
            lock.unlock();
        }
    }

    /** A block where memory has addresses. */
    private static final class UnsafeBlock extends UnpooledUnsafeDirectByteBuf {
        private final BlockPool pool;
        private final ByteBuffer memory;

        UnsafeBlock(BlockPool pool, ByteBuffer memory, ByteBuffer shown) {
            super(PooledByteBufAllocator.DEFAULT, shown, shown.capacity());
            this.pool = pool;
            this.memory = memory;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            pool.giveBack(memory);
        }
    }

    /** A block where it has none. */
    private static final class Block extends UnpooledDirectByteBuf {
        private final BlockPool pool;
        private final ByteBuffer memory;

        Block(BlockPool pool, ByteBuffer memory, ByteBuffer shown) {
            super(PooledByteBufAllocator.DEFAULT, shown, shown.capacity());
            this.pool = pool;
            this.memory = memory;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            pool.giveBack(memory);
        }
    }
}
