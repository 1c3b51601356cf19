package io.hawser.store.check;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.integrity.Sha256;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Computes the hashes of fragments as they lie in a file, through a buffer of bounded size.
 *
 * <p>Thread: one at a time.
 */
public final class FragmentHasher {
    private static final int BUFFER_BYTES = 1 << 20;

    private final ByteBuffer buffer = newBuffer();
    private final Findings findings;

    public FragmentHasher(Findings findings) {
        this.findings = findings;
    }

    /** A buffer for {@link #hash(StorageFile, long, int, ByteBuffer)}. */
    public static ByteBuffer newBuffer() {
        return ByteBuffer.allocateDirect(BUFFER_BYTES + FragmentBuffer.ALIGNMENT_BYTES)
                .alignedSlice(FragmentBuffer.ALIGNMENT_BYTES)
                .slice(0, BUFFER_BYTES);
    }

    /** How a file with such fragments is to be opened: past the page cache, where their places allow it. */
    public static FileIoMode cachingFor(int fragmentSizeBytes) {
        return fragmentSizeBytes % FragmentBuffer.ALIGNMENT_BYTES == 0 ? FileIoMode.DIRECT : FileIoMode.PAGE_CACHE;
    }

    /** SHA-256 of {@code length} bytes at {@code position}; null if the file ends before. */
    public byte @Nullable [] hash(StorageFile file, long position, int length) throws StorageException {
        byte[] hash = hash(file, position, length, buffer);
        if (hash != null) {
            findings.read(length);
        }
        return hash;
    }

    /** The same through {@code buffer}, which is aligned and has whole blocks, and without a count. */
    public static byte @Nullable [] hash(StorageFile file, long position, int length, ByteBuffer buffer)
            throws StorageException {
        MessageDigest sha256 = Sha256.newDigest();
        for (int done = 0; done < length; ) {
            int step = Math.min(length - done, buffer.capacity());
            buffer.clear().limit(file.direct() ? FragmentBuffer.roundUp(step) : step);
            if (file.read(buffer, position + done) < step) {
                return null;
            }
            sha256.update(buffer.flip().limit(step));
            done += step;
        }
        return sha256.digest();
    }
}
