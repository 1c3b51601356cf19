package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the bytes of small transfers: they lie side by side in a few buffers of its own, so that a small one does not
 * take a whole fragment's. A buffer is free again when everything in it has been released.
 *
 * <p>Thread: the loop; what was placed may be released by any.
 */
final class SmallArena {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FragmentBufferPool buffers;
    private @Nullable FragmentBuffer current;
    private int used;

    SmallArena(int bufferCount) {
        this.buffers = new FragmentBufferPool(BUFFER_BYTES, bufferCount);
    }

    /** Where bytes were placed; {@code buffer} has a reference for them. */
    record Placed(FragmentBuffer buffer, int offset) {}

    /** Copies {@code bytes} (position to limit), or null if there is no memory now. */
    @Nullable
    Placed place(ByteBuffer bytes) {
        int length = bytes.remaining();
        FragmentBuffer buffer = bufferFor(length);
        if (buffer == null) {
            return null;
        }
        buffer.payload(used, length).put(bytes.duplicate());
        Placed placed = new Placed(buffer.retain(), used);
        used += length;
        return placed;
    }

    private @Nullable FragmentBuffer bufferFor(int length) {
        if (current != null && used + length > BUFFER_BYTES) {
            current.release();
            current = null;
        }
        if (current == null) {
            current = buffers.tryAcquire();
            used = 0;
        }
        return current;
    }

    /** Whether so little is free that what was placed here should be released. */
    boolean isScarce() {
        return buffers.available() == 0;
    }

    /** Runs {@code waiter} when a buffer is free, on whatever thread; it only posts. */
    void whenAvailable(Runnable waiter) {
        buffers.whenAvailable(waiter);
    }
}
