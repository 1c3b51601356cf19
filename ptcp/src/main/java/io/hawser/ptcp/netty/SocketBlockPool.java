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

/**
 * Pools direct memory for the packets of all sockets of the process, in power-of-two blocks, and frees idle ones after some
 * seconds. Netty's pools return a chunk to the system when its last buffer is released, which with buffers of a megabyte
 * happens all the time; clearing and faulting in a new one cost more than copying the bytes. This pool keeps released blocks
 * and reuses the latest first, because caches may still hold it. It frees blocks that were idle for some seconds.
 *
 * <p>Blocks have a power of two of bytes; a buffer has exactly the requested length. Short ones come from Netty's pool.
 *
 * <p>Thread: any.
 */
public final class SocketBlockPool {
    private static final int LEAST_SHIFT = 16;
    private static final int MOST_SHIFT = 20;

    /** The longest buffer of the pool. */
    public static final int MOST_BYTES = 1 << MOST_SHIFT;

    /** The most memory that is kept; a quarter of the direct memory if that is less. */
    private static final long KEPT_BYTES = 24L << 20;

    private static final int KEPT_SHARE = 4;
    private static final long TRIM_SECONDS = 5;

    /** Schedules the trim of idle blocks. */
    @FunctionalInterface
    public interface Timer {
        /** Runs {@code task} after {@code seconds}. */
        void after(long seconds, Runnable task);
    }

    private final List<FreeList> freeLists = new ArrayList<>();
    private final long mostKept = Math.min(KEPT_BYTES, PlatformDependent.maxDirectMemory() / KEPT_SHARE);
    private final Timer timer;
    private long kept;
    private long taken;
    private boolean trimDue;

    /** Blocks of one length. */
    private static final class FreeList {
        private final Deque<ByteBuffer> free = new ArrayDeque<>();
        /** The least number of free blocks since the last trim. */
        private int idle;
    }

    public SocketBlockPool(Timer timer) {
        this.timer = timer;
        for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
            freeLists.add(new FreeList());
        }
    }

    /**
     * An empty buffer of exactly {@code length} bytes. Its release returns it to the pool.
     *
     * @param length 1 to {@value #MOST_BYTES}
     */
    public ByteBuf take(int length) {
        if (length <= 1 << (LEAST_SHIFT - 1)) {
            return PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        }
        int list = listOf(length);
        ByteBuffer memory = takeFrom(list);
        ByteBuffer shown = memory.duplicate().clear().limit(length);
        ByteBuf buffer = PlatformDependent.hasUnsafe()
                ? new UnsafeBlock(this, memory, shown.slice())
                : new Block(this, memory, shown.slice());
        return buffer.setIndex(0, 0);
    }

    private static int listOf(int length) {
        int shift = Integer.SIZE - Integer.numberOfLeadingZeros(length - 1);
        if (shift > MOST_SHIFT) {
            throw new IllegalArgumentException("a block of " + length + " bytes");
        }
        return Math.max(0, shift - LEAST_SHIFT);
    }

    private ByteBuffer takeFrom(int number) {
        synchronized (this) {
            FreeList list = freeLists.get(number);
            ByteBuffer memory = list.free.pollLast();
            if (memory != null) {
                taken++;
                kept -= memory.capacity();
                list.idle = Math.min(list.idle, list.free.size());
                return memory;
            }
        }
        ByteBuffer made = ByteBuffer.allocateDirect(1 << (LEAST_SHIFT + number));
        synchronized (this) {
            taken++;
        }
        return made;
    }

    private void recycle(ByteBuffer memory) {
        boolean drop;
        boolean trim = false;
        synchronized (this) {
            taken--;
            drop = kept + memory.capacity() > mostKept;
            if (!drop) {
                kept += memory.capacity();
                freeLists.get(listOf(memory.capacity())).free.addLast(memory);
                trim = !trimDue;
                trimDue = true;
            }
        }
        if (drop) {
            free(memory);
        } else if (trim) {
            timer.after(TRIM_SECONDS, this::trim);
        }
    }

    /** Frees blocks that were idle since the last trim. */
    private void trim() {
        List<ByteBuffer> unneeded = new ArrayList<>();
        boolean again;
        synchronized (this) {
            for (FreeList list : freeLists) {
                for (int i = 0; i < list.idle; i++) {
                    ByteBuffer memory = list.free.removeFirst();
                    kept -= memory.capacity();
                    unneeded.add(memory);
                }
                list.idle = list.free.size();
            }
            again = kept > 0;
            trimDue = again;
        }
        unneeded.forEach(SocketBlockPool::free);
        if (again) {
            timer.after(TRIM_SECONDS, this::trim);
        }
    }

    @SuppressWarnings("deprecation") // the only way to free the JDK's direct memory at once
    private static void free(ByteBuffer memory) {
        PlatformDependent.freeDirectBuffer(memory);
    }

    /** Bytes in free blocks. */
    public synchronized long keptBytes() {
        return kept;
    }

    /** The number of blocks in use. */
    public synchronized long takenBlocks() {
        return taken;
    }

    /** A block with Unsafe. */
    private static final class UnsafeBlock extends UnpooledUnsafeDirectByteBuf {
        private final SocketBlockPool pool;
        private final ByteBuffer memory;

        UnsafeBlock(SocketBlockPool pool, ByteBuffer memory, ByteBuffer shown) {
            super(PooledByteBufAllocator.DEFAULT, shown, shown.capacity());
            this.pool = pool;
            this.memory = memory;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            pool.recycle(memory);
        }
    }

    /** A block without Unsafe. */
    private static final class Block extends UnpooledDirectByteBuf {
        private final SocketBlockPool pool;
        private final ByteBuffer memory;

        Block(SocketBlockPool pool, ByteBuffer memory, ByteBuffer shown) {
            super(PooledByteBufAllocator.DEFAULT, shown, shown.capacity());
            this.pool = pool;
            this.memory = memory;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            pool.recycle(memory);
        }
    }
}
