package io.hawser.store.content;

import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of a transfer's digests: which fragments of its content are durable, and their leaves. It has a {@link LeafSlot} for each
 * fragment, written only when the fragment's bytes have been forced.
 *
 * <p>Thread: any; calls block.
 */
public final class LeafFile {
    private static final int SCAN_SLOTS = 1024;
    private static final ByteBuffer EMPTY =
            ByteBuffer.allocate(SCAN_SLOTS * LeafSlot.LENGTH_BYTES).asReadOnlyBuffer();

    private LeafFile() {}

    /** Is shown a slot that is whole. */
    @FunctionalInterface
    public interface Visitor {
        void slot(LeafSlot slot) throws StorageException;
    }

    /** Writes slots, ascending by index; those that follow each other with one write. */
    public static void write(StorageFile leaves, TransferKey key, List<LeafSlot> slots) throws StorageException {
        int start = 0;
        for (int next = 1; next <= slots.size(); next++) {
            if (next == slots.size()
                    || slots.get(next).index() != slots.get(next - 1).index() + 1) {
                ByteBuffer bytes = ByteBuffer.allocate((next - start) * LeafSlot.LENGTH_BYTES);
                slots.subList(start, next).forEach(slot -> slot.putInto(bytes, key));
                leaves.write(bytes.flip(), LeafSlot.position(slots.get(start).index()));
                start = next;
            }
        }
    }

    /** The slot of one fragment, or null if there is none that is whole and belongs to {@code key}. */
    public static @Nullable LeafSlot read(StorageFile leaves, TransferKey key, long index) throws StorageException {
        ByteBuffer slot = ByteBuffer.allocate(LeafSlot.LENGTH_BYTES);
        int length = leaves.read(slot, LeafSlot.position(index));
        return length == LeafSlot.LENGTH_BYTES ? LeafSlot.read(slot, 0, key, index) : null;
    }

    /**
     * Shows all whole slots from {@code from} on, by ascending index.
     *
     * @return how many others are not empty: the disk has changed them, or they are another transfer's
     */
    public static long scan(StorageFile leaves, TransferKey key, long from, Visitor visitor) throws StorageException {
        return scan(leaves, key, from, visitor, false);
    }

    /**
     * Shows all whole slots, after having written them again and forced them: what a file of an earlier run shows may be in the page cache
     * alone, and even a force that is repeated after a failed one proves nothing (reliability, 3.5).
     */
    public static void recover(StorageFile leaves, TransferKey key, Visitor visitor) throws StorageException {
        long unused = scan(leaves, key, 0, slot -> {}, true);
        leaves.force(true);
        unused = scan(leaves, key, 0, visitor, false);
    }

    private static long scan(StorageFile leaves, TransferKey key, long from, Visitor visitor, boolean rewrite)
            throws StorageException {
        ByteBuffer slots = ByteBuffer.allocate(SCAN_SLOTS * LeafSlot.LENGTH_BYTES);
        long index = from;
        long damaged = 0;
        while (true) {
            int length = leaves.read(slots.clear(), LeafSlot.position(index));
            if (rewrite && !isEmpty(slots.slice(0, length))) { // a hole stays one
                leaves.write(slots.duplicate().flip(), LeafSlot.position(index));
            }
            int count = length / LeafSlot.LENGTH_BYTES;
            for (int i = 0; i < count; i++) {
                LeafSlot slot = LeafSlot.read(slots, i * LeafSlot.LENGTH_BYTES, key, index + i);
                if (slot != null) {
                    visitor.slot(slot);
                } else if (!isEmpty(slots.slice(i * LeafSlot.LENGTH_BYTES, LeafSlot.LENGTH_BYTES))) {
                    damaged++;
                }
            }
            if (count < SCAN_SLOTS) {
                return damaged;
            }
            index += count;
        }
    }

    private static boolean isEmpty(ByteBuffer bytes) {
        return EMPTY.slice(0, bytes.remaining()).equals(bytes);
    }
}
