package io.hawser.store.landing;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.store.check.FragmentHasher;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Aligned memory for reading back and for small files. There are as many buffers as threads have used one at the same
 * time; they are kept.
 *
 * <p>Thread: any.
 */
final class ScratchBuffers {
    private final int sizeBytes;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** Creates none yet; {@code sizeBytes} is a whole number of blocks. */
    ScratchBuffers(int sizeBytes) {
        this.sizeBytes = sizeBytes;
    }

    /** Takes a buffer, position 0, limit at its end. The caller returns it. */
    ByteBuffer take() {
        synchronized (free) {
            ByteBuffer buffer = free.pollLast();
            if (buffer != null) {
                return buffer.clear();
            }
        }
        return ByteBuffer.allocateDirect(sizeBytes + FragmentBuffer.ALIGNMENT_BYTES)
                .alignedSlice(FragmentBuffer.ALIGNMENT_BYTES)
                .slice(0, sizeBytes);
    }

    void giveBack(ByteBuffer buffer) {
        synchronized (free) {
            free.addLast(buffer);
        }
    }

    /** SHA-256 of {@code length} bytes at {@code position}, as the device gives them back. */
    byte[] hash(StorageFile file, long position, int length) throws StorageException {
        ByteBuffer buffer = take();
        try {
            byte[] hash = FragmentHasher.hash(file, position, length, buffer);
            if (hash == null) {
                throw new StorageException(file.path() + ": ends before " + (position + length)
                        + ", although it was written and forced up to there");
            }
            return hash;
        } finally {
            giveBack(buffer);
        }
    }
}
