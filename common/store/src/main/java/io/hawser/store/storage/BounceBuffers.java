package io.hawser.store.storage;

import io.hawser.core.buffer.FragmentBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Aligned memory through which heap buffers take their way to and from direct files. (Java 17 fails with a
 * NullPointerException where it has to enlarge such a buffer of its own.) At most {@value #MAX_KEPT} are kept.
 *
 * <p>Thread: any.
 */
final class BounceBuffers {
    static final int LENGTH_BYTES = 128 << 10;
    private static final int MAX_KEPT = 8;

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** An empty buffer; {@link #giveBack} takes it again. */
    ByteBuffer take() {
        ByteBuffer kept = poll();
        return kept != null
                ? kept.clear()
                : ByteBuffer.allocateDirect(LENGTH_BYTES + FragmentBuffer.ALIGNMENT_BYTES)
                        .alignedSlice(FragmentBuffer.ALIGNMENT_BYTES)
                        .slice(0, LENGTH_BYTES);
    }

    private synchronized @Nullable ByteBuffer poll() {
        return free.pollLast();
    }

    synchronized void giveBack(ByteBuffer buffer) {
        if (free.size() < MAX_KEPT) {
            free.addLast(buffer);
        }
    }
}
