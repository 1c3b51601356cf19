package io.hawser.store.landing;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.TransferDigest;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the merged file of a patch: the bytes of the base in their order, with the patch's bytes in their places. The digest of what it
 * writes tells later whether the disk holds that. Holes are not written and count as zeroes.
 *
 * <p>Thread: one owner; calls block.
 */
public final class MergedFileWriter implements AutoCloseable {
    private final Path part;
    private final StorageFile patch;
    private final StorageFile to;
    private final long mergedBytes;
    private final List<FragmentRange> places;
    private final CopyDigestVerifier patchDigest;
    private final TreeDigest.Builder leaves = new TreeDigest.Builder();
    /** The next leaf; up to its position it has bytes of the base. */
    private final ByteBuffer leaf = ByteBuffer.allocate(MergedFile.LEAF_BYTES);

    private byte @Nullable [] emptyLeaf;
    private long leafStart;
    private int place;
    private long patchDone;

    private MergedFileWriter(VerifiedObject object, PatchPlan plan, StorageFile patch, StorageFile to) {
        this.part = object.file();
        this.patch = patch;
        this.to = to;
        this.mergedBytes = plan.mergedBytes(object.commit().sizeBytes());
        this.places = plan.places().inFile(0, object.commit().sizeBytes());
        this.patchDigest = new CopyDigestVerifier(object.commit().digest());
    }

    /** Begins before the first byte of the base; {@code to} is empty and stays open. */
    public static MergedFileWriter open(Storage storage, VerifiedObject object, PatchPlan plan, StorageFile to)
            throws StorageException {
        StorageFile patch = storage.open(object.file(), OpenMode.READ, FileIoMode.PAGE_CACHE);
        return new MergedFileWriter(object, plan, patch, to);
    }

    /** Takes the next bytes of the base, from position to limit. */
    public void base(ByteBuffer bytes) throws StorageException {
        int limit = bytes.limit();
        while (bytes.position() < limit) {
            bytes.limit(bytes.position() + Math.min(leaf.remaining(), limit - bytes.position()));
            leaf.put(bytes);
            bytes.limit(limit);
            if (!leaf.hasRemaining()) {
                endLeaf();
            }
        }
    }

    /**
     * Writes what follows the last byte of the base.
     *
     * @return the digest of the merged file
     * @throws StorageException if the patch's bytes, as they were read, are not those of its commit
     */
    public TransferDigest finish() throws StorageException {
        while (leafStart < mergedBytes) {
            endLeaf();
        }
        if (!patchDigest.matches()) {
            throw new StorageException(
                    part + ": the bytes that were read are not those of the commit. Check the disk (dmesg, smartctl)");
        }
        return leaves.root(mergedBytes, MergedFile.LEAF_BYTES);
    }

    private void endLeaf() throws StorageException {
        int baseBytes = leaf.position();
        int length = (int) Math.min(MergedFile.LEAF_BYTES, mergedBytes - leafStart);
        boolean isEmpty =
                baseBytes == 0 && (place == places.size() || places.get(place).start() >= leafStart + length);
        if (isEmpty && length == MergedFile.LEAF_BYTES) {
            leaves.add(emptyLeaf());
        } else {
            Arrays.fill(leaf.array(), baseBytes, length, (byte) 0);
            putPatch(leafStart + length, baseBytes);
            to.write(leaf.slice(0, baseBytes), leafStart);
            leaves.add(TreeDigest.leaf(leaf.slice(0, length)));
        }
        leafStart += length;
        leaf.clear();
    }

    private byte[] emptyLeaf() {
        byte[] known = emptyLeaf;
        if (known == null) {
            known = TreeDigest.leaf(ByteBuffer.allocate(MergedFile.LEAF_BYTES));
            emptyLeaf = known;
        }
        return known;
    }

    /** Puts the patch's bytes into the leaf that ends at {@code leafEnd}, and writes those that are not among its {@code baseBytes}. */
    private void putPatch(long leafEnd, int baseBytes) throws StorageException {
        while (place < places.size() && places.get(place).start() < leafEnd) {
            FragmentRange range = places.get(place);
            int from = (int) (Math.max(range.start(), leafStart) - leafStart);
            int end = (int) (Math.min(range.end(), leafEnd) - leafStart);
            readPatch(leaf.slice(from, end - from));
            if (end > baseBytes) {
                int rest = Math.max(from, baseBytes);
                to.write(leaf.slice(rest, end - rest), leafStart + rest);
            }
            if (range.end() > leafEnd) {
                return;
            }
            place++;
        }
    }

    private void readPatch(ByteBuffer into) throws StorageException {
        while (into.hasRemaining()) {
            int count = patch.read(into, patchDone);
            if (count == 0) {
                throw new StorageException(part + ": ended while it was copied");
            }
            patchDone += count;
        }
        patchDigest.update(into.flip());
    }

    @Override
    public void close() {
        patch.close();
    }
}
