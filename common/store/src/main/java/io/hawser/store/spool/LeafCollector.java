package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the tree digest of a transfer from its leaves as they come. In order they go straight into the tree; a few that come
 * early wait; what is missing at the end is read from the transfer's {@code .leaves} file. So its memory is bounded however
 * large the transfer is. Content that an earlier run wrote is read back and compared with its leaf before that counts.
 *
 * <p>Thread: the loop; the reading is done on a disk thread.
 */
final class LeafCollector {
    private static final int MAX_EARLY = 256;

    private final FragmentFile content;
    private final int fragmentSizeBytes;
    private final TreeDigest.Builder tree = new TreeDigest.Builder();
    private final Map<Long, byte[]> early = new HashMap<>();

    LeafCollector(FragmentFile content, int fragmentSizeBytes) {
        this.content = content;
        this.fragmentSizeBytes = fragmentSizeBytes;
    }

    /** The leaf of a fragment that is durable, and will not change. */
    void add(long index, byte[] leaf) {
        if (index == tree.count()) {
            tree.add(leaf);
            for (byte[] next = early.remove(tree.count()); next != null; next = early.remove(tree.count())) {
                tree.add(next);
            }
        } else if (index > tree.count() && early.size() < MAX_EARLY) {
            early.put(index, leaf);
        }
    }

    /**
     * Makes the commit of an object of {@code sizeBytes}. Nothing may be added meanwhile or after it.
     *
     * @param earlier the fragments that an earlier run wrote into the transfer's {@code .data} file
     */
    void commit(long sizeBytes, FragmentRanges earlier, UploadContext context, Outcome.Callback<Commit> done) {
        long count = Manifest.fragmentCount(sizeBytes, fragmentSizeBytes);
        if (tree.count() == count) {
            done.accept(Outcome.of(commit(sizeBytes, count)));
            return;
        }
        context.disk().execute(() -> {
            Outcome<Commit> outcome = readRest(sizeBytes, count, earlier);
            context.mailbox().post(() -> done.accept(outcome));
        });
    }

    private Outcome<Commit> readRest(long sizeBytes, long count, FragmentRanges earlier) {
        try (FragmentFile written = content.toRead()) {
            written.scan(tree.count(), slot -> {
                if (slot.index() == tree.count() && slot.index() < count) {
                    if (earlier.contains(slot.index()) && !written.isSound(slot)) {
                        throw new CorruptRecordException("Fragment " + slot.index()
                                + ", which came in before this node was restarted, is damaged in the spool. Upload all of it"
                                + " again, and check the disk (dmesg, smartctl)");
                    }
                    tree.add(slot.leaf());
                }
            });
        } catch (StorageException e) {
            return Outcome.refused(ErrorCode.STORAGE_FAILED, String.valueOf(e.getMessage()));
        }
        return tree.count() == count
                ? Outcome.of(commit(sizeBytes, count))
                : Outcome.refused(
                        ErrorCode.STORAGE_FAILED,
                        "The digest of fragment " + tree.count() + " of " + content.key() + " is lost");
    }

    private Commit commit(long sizeBytes, long count) {
        return new Commit(sizeBytes, count, tree.root(sizeBytes, fragmentSizeBytes));
    }
}
