package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The fragments of one upload that were put aside before all of their bytes had come. They lie at their own places in the
 * transfer's data file, where the whole fragment overwrites them later. No slot speaks of them, so that a restart does not know
 * them. What comes back from the disk is compared with the checksum of what went there. They can be read back until the fragment
 * is written.
 *
 * <p>Thread: the loop; the disk's work is done elsewhere.
 */
final class SpilledFragments {
    private final UploadContext context;
    private final FragmentFile content;
    private final Map<Long, Parked> parked = new HashMap<>();

    /** Bytes {@code [start, end)} of a fragment, and their CRC32C. */
    private record Parked(int start, int end, int crc32c) {
        ByteBuffer of(FragmentBuffer buffer) {
            return buffer.payload(start, end - start);
        }
    }

    SpilledFragments(UploadContext context, FragmentFile content) {
        this.context = context;
        this.content = content;
    }

    void park(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> done) {
        ByteBuffer bytes = buffer.payload(start, end - start);
        parked.put(index, new Parked(start, end, Crc32c.of(bytes.duplicate())));
        buffer.retain();
        context.writer().park(content, index, start, bytes, failure -> {
            buffer.release();
            done.accept(failure == null ? Outcome.of(index) : Outcome.refused(UploadWriteSequencer.refusalOf(failure)));
        });
    }

    void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done) {
        Parked aside = parked.get(index);
        if (aside == null) {
            throw new IllegalStateException("fragment " + index + " was not put aside");
        }
        into.retain();
        context.disk().execute(() -> {
            Outcome<Long> read = read(index, into, aside);
            context.mailbox().post(() -> {
                into.release();
                done.accept(read);
            });
        });
    }

    /** The fragment is about to be written to its place. */
    void forget(long index) {
        parked.remove(index);
    }

    private Outcome<Long> read(long index, FragmentBuffer into, Parked aside) {
        try (FragmentFile file = content.toRead()) {
            return file.unspill(index, aside.start(), aside.of(into), aside.crc32c())
                    ? Outcome.of(index)
                    : Outcome.refused(
                            ErrorCode.STORAGE_FAILED,
                            "Fragment " + index + " in the spool is not what was written there. Check the disk");
        } catch (StorageException e) {
            return Outcome.refused(ErrorCode.STORAGE_FAILED, String.valueOf(e.getMessage()));
        }
    }
}
