package io.hawser.store.content;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Sha256;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.TransferDigest;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/**
 * Aligned memory, and what is written from it and read back into it. There are as many buffers as threads have used one at the same
 * time; they are kept.
 *
 * <p>Thread: any.
 */
public final class ScratchBuffers {
    /** Enough for a good rate of reading. */
    public static final int READ_BYTES = 1 << 20;

    private final int sizeBytes;
    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** Creates none yet; {@code sizeBytes} is a whole number of blocks. */
    public ScratchBuffers(int sizeBytes) {
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

    /**
     * Writes a fragment at a block boundary. The last block is filled with whatever follows the payload. Does not release the
     * fragment's buffer.
     */
    void write(StorageFile file, long position, Fragment fragment) throws StorageException {
        int length = fragment.length();
        if (fragment.offset() == 0) {
            file.write(fragment.buffer().paddedPayload(length), position);
        } else if (file.direct()) {
            copyAndWrite(file, position, fragment);
        } else {
            file.write(fragment.buffer().payload(fragment.offset(), length), position);
        }
    }

    /** A small payload shares its buffer with others and lies where it lies. */
    private void copyAndWrite(StorageFile file, long position, Fragment fragment) throws StorageException {
        ByteBuffer aligned = take();
        try {
            for (int done = 0; done < fragment.length(); ) {
                int step = Math.min(fragment.length() - done, aligned.capacity());
                aligned.clear();
                aligned.put(fragment.buffer().payload(fragment.offset() + done, step));
                aligned.position(0).limit(FragmentBuffer.roundUp(step));
                file.write(aligned, position + done);
                done += step;
            }
        } finally {
            giveBack(aligned);
        }
    }

    /** SHA-256 of {@code length} bytes at {@code position}, as the device gives them back. */
    public byte[] hash(StorageFile file, long position, int length) throws StorageException {
        ByteBuffer buffer = take();
        try {
            if (length <= buffer.capacity()) {
                return Sha256.of(read(file, position, length, buffer));
            }
            MessageDigest sha256 = Sha256.newDigest();
            for (int done = 0; done < length; ) {
                int step = Math.min(length - done, buffer.capacity());
                sha256.update(read(file, position + done, step, buffer));
                done += step;
            }
            return sha256.digest();
        } finally {
            giveBack(buffer);
        }
    }

    private static ByteBuffer read(StorageFile file, long position, int length, ByteBuffer buffer)
            throws StorageException {
        buffer.clear().limit(file.direct() ? FragmentBuffer.roundUp(length) : length);
        if (file.read(buffer, position) < length) {
            throw new StorageException(file.path() + ": ends before " + (position + length)
                    + ", although it was written and forced up to there");
        }
        return buffer.flip().limit(length);
    }

    /**
     * The tree digest of the first {@code sizeBytes} bytes of a file, as the device gives them back.
     *
     * @param progress receives how many bytes more were read
     */
    public TransferDigest digest(StorageFile file, long sizeBytes, int leafBytes, LongConsumer progress)
            throws StorageException {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        for (long position = 0; position < sizeBytes; position += leafBytes) {
            int length = (int) Math.min(leafBytes, sizeBytes - position);
            tree.add(hash(file, position, length));
            progress.accept(length);
        }
        return tree.root(sizeBytes, leafBytes);
    }
}
