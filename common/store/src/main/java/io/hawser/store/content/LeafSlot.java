package io.hawser.store.content;

import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.Sha256;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FormatTooNewException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The proof of one fragment in a {@link LeafFile}: slot {@code i}, for fragment {@code i}, is at
 * {@code i * }{@value #LENGTH_BYTES}. A slot is written only when its fragment's bytes have been forced.
 *
 * <pre>
 *  0  4  magic "HWLF"         20  4  CRC32C of the fragment
 *  4  4  version 1            24 32  leaf: SHA-256 of the fragment
 *  8  8  fragment index       56  4  zero
 * 16  4  length of fragment   60  4  CRC32C of the transfer's key (32 bytes) and bytes 0 to 59
 * </pre>
 *
 * <p>Because the key is in the checksum, a slot of another transfer or another place is not taken for this one; zeroes are no
 * slot. Since slots are of 64 bytes, none lies across two sectors.
 *
 * @param index which fragment
 * @param length its length in bytes; less than the fragment size for the last, or where an upload broke off
 * @param crc32c CRC32C of its bytes
 * @param leaf SHA-256 of its bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record LeafSlot(long index, int length, int crc32c, byte[] leaf) {
    public static final int LENGTH_BYTES = 64;

    private static final int MAGIC = 0x48574C46;
    private static final int VERSION = 1;
    private static final int LEAF_OFFSET = 24;
    private static final int SUM_OFFSET = LENGTH_BYTES - Integer.BYTES;

    /** The proof of {@code fragment}. */
    static LeafSlot of(Fragment fragment) {
        return new LeafSlot(fragment.index(), fragment.length(), fragment.crc32c(), fragment.leaf());
    }

    /** Where the slot of fragment {@code index} begins. */
    public static long position(long index) {
        return index * LENGTH_BYTES;
    }

    /** Puts the slot at the buffer's position. */
    public void putInto(ByteBuffer out, TransferKey key) {
        int start = out.position();
        out.putInt(MAGIC).putInt(VERSION).putLong(index).putInt(length).putInt(crc32c);
        out.put(leaf).putInt(0);
        out.putInt(sum(out.slice(start, SUM_OFFSET), key));
    }

    /** The slot that begins at {@code offset}, or null if there is none that is whole and belongs there. */
    public static @Nullable LeafSlot read(ByteBuffer in, int offset, TransferKey key, long expectedIndex)
            throws FormatTooNewException {
        ByteBuffer slot = in.slice(offset, LENGTH_BYTES);
        if (slot.getInt(0) != MAGIC
                || slot.getInt(4) < VERSION
                || slot.getLong(8) != expectedIndex
                || slot.getInt(SUM_OFFSET) != sum(slot.slice(0, SUM_OFFSET), key)) {
            return null;
        }
        if (slot.getInt(4) > VERSION) {
            throw new FormatTooNewException("The digest of fragment " + expectedIndex + " of " + key + " has version "
                    + slot.getInt(4) + ". A later version of Hawser wrote it; use that one.");
        }
        byte[] leaf = new byte[Sha256.LENGTH_BYTES];
        slot.get(LEAF_OFFSET, leaf);
        return new LeafSlot(expectedIndex, slot.getInt(16), slot.getInt(20), leaf);
    }

    private static int sum(ByteBuffer bytes, TransferKey key) {
        ByteBuffer name = key.putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES));
        return Crc32c.combine(Crc32c.of(name.flip()), Crc32c.of(bytes), bytes.remaining());
    }
}
