package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.storage.StorageException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fragment on its way to the disk: filled in by the digest thread, then by the writer, then handed back on the loop.
 *
 * <p>Thread: one after the other; each hands it on through a queue.
 */
final class FragmentWriteTask {
    /** How it ended. */
    enum Result {
        DURABLE,
        /** It was here before, and the bytes are the same. */
        SAME,
        /** It was here before and the bytes differ; the earlier ones are kept. */
        DIFFERENT,
        FAILED
    }

    final FragmentFile content;
    final long index;
    final FragmentBuffer buffer;
    final int length;
    /** How many of its bytes were durable before and are compared; 0 for none. */
    final int knownLength;

    private final Consumer<FragmentWriteTask> done;
    byte[] leaf = {};
    byte[] knownLeaf = {};
    int crc32c;
    Result result = Result.FAILED;

    @Nullable
    StorageException failure;

    /**
     * Takes over one reference of {@code buffer}.
     *
     * @param done is called on the loop; the buffer's reference is the callee's to release
     */
    FragmentWriteTask(
            FragmentFile content,
            long index,
            FragmentBuffer buffer,
            int length,
            int knownLength,
            Consumer<FragmentWriteTask> done) {
        this.content = content;
        this.index = index;
        this.buffer = buffer;
        this.length = length;
        this.knownLength = knownLength;
        this.done = done;
    }

    /** The fragment; its buffer has no reference of its own. */
    Fragment fragment() {
        return new Fragment(content.key(), index, length, crc32c, leaf, buffer, 0);
    }

    void complete() {
        done.accept(this);
    }

    void fail(StorageException cause) {
        result = Result.FAILED;
        failure = cause;
    }
}
