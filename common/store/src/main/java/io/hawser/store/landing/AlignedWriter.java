package io.hawser.store.landing;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;

/**
 * Writes a fragment at a block boundary of a file that may bypass the page cache: the last block is filled up with whatever
 * follows the payload, so the file may become longer than it should be and is truncated later.
 *
 * <p>Thread: disk.
 */
final class AlignedWriter {
    private AlignedWriter() {}

    /** Writes the fragment's bytes at {@code position}. Does not release its buffer. */
    static void write(StorageFile file, long position, Fragment fragment, ScratchBuffers scratch)
            throws StorageException {
        int length = fragment.length();
        if (!file.direct()) {
            file.write(fragment.buffer().payload(fragment.offset(), length), position);
        } else if (fragment.offset() == 0) {
            file.write(fragment.buffer().paddedPayload(length), position);
        } else {
            copyAndWrite(file, position, fragment, scratch);
        }
    }

    /** A small payload shares its buffer with others and lies where it lies. */
    private static void copyAndWrite(StorageFile file, long position, Fragment fragment, ScratchBuffers scratch)
            throws StorageException {
        ByteBuffer aligned = scratch.take();
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
            scratch.giveBack(aligned);
        }
    }
}
