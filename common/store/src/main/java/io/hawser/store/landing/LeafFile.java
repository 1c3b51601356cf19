package io.hawser.store.landing;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sidecar of a landing file: which fragments of it are durable and verified, and their leaves. The bytes are drawn in
 * {@code docs/reference/format-landing.md}. Every entry has a place of its own and a checksum of its own, and none crosses a sector, so
 * that after a crash each is either whole or not there.
 *
 * <p>Thread: disk; one at a time.
 */
final class LeafFile {
    static final int VERSION = 1;
    static final int ENTRY_BYTES = 64;

    /** "HWLF". */
    private static final int MAGIC = 0x4857_4C46;

    private static final int CRC_OFFSET = ENTRY_BYTES - Integer.BYTES;
    private static final int READ_ENTRIES = 1024;

    private LeafFile() {}

    /**
     * A fragment that is durable and verified.
     *
     * @param index which, 0-based
     * @param length its bytes
     * @param hash its SHA-256
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Leaf(long index, int length, byte[] hash) {}

    /** Is shown leaves in the order of their index. */
    interface Visitor {
        void leaf(Leaf leaf) throws StorageException;
    }

    /** Writes the header of a new file. */
    static void create(StorageFile file, TransferKey key, int fragmentSizeBytes) throws StorageException {
        ByteBuffer header = ByteBuffer.allocate(ENTRY_BYTES);
        header.putInt(MAGIC).putShort((short) VERSION).putShort((short) ENTRY_BYTES);
        key.putInto(header);
        header.putInt(fragmentSizeBytes);
        file.write(seal(header), 0);
    }

    /** Writes leaves, ascending by index; those that follow each other with one write. */
    static void write(StorageFile file, List<Leaf> leaves) throws StorageException {
        int start = 0;
        for (int next = 1; next <= leaves.size(); next++) {
            if (next == leaves.size()
                    || leaves.get(next).index() != leaves.get(next - 1).index() + 1) {
                writeRun(file, leaves.subList(start, next));
                start = next;
            }
        }
    }

    private static void writeRun(StorageFile file, List<Leaf> run) throws StorageException {
        ByteBuffer bytes = ByteBuffer.allocate(run.size() * ENTRY_BYTES);
        for (int i = 0; i < run.size(); i++) {
            Leaf leaf = run.get(i);
            ByteBuffer entry = bytes.slice(i * ENTRY_BYTES, ENTRY_BYTES);
            seal(entry.putLong(leaf.index()).putInt(leaf.length()).put(leaf.hash()));
        }
        file.write(bytes, position(run.get(0).index()));
    }

    /**
     * Shows every valid leaf.
     *
     * @throws CorruptRecordException if the header is not this transfer's
     */
    static void read(StorageFile file, TransferKey key, int fragmentSizeBytes, Visitor visitor)
            throws StorageException {
        checkHeader(file, key, fragmentSizeBytes);
        ByteBuffer bytes = ByteBuffer.allocate(READ_ENTRIES * ENTRY_BYTES);
        long index = 0;
        int count;
        do {
            bytes.clear();
            count = file.read(bytes, position(index)) / ENTRY_BYTES;
            for (int i = 0; i < count; i++) {
                ByteBuffer entry = bytes.slice(i * ENTRY_BYTES, ENTRY_BYTES);
                if (isSealed(entry) && entry.getLong(0) == index + i) {
                    visitor.leaf(leaf(entry));
                }
            }
            index += count;
        } while (count == READ_ENTRIES);
    }

    /** The leaf of one fragment, or null if there is no valid one. The header is not looked at. */
    static @Nullable Leaf read(StorageFile file, long index) throws StorageException {
        ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES);
        int count = file.read(entry, position(index));
        return count == ENTRY_BYTES && isSealed(entry) && entry.getLong(0) == index ? leaf(entry.flip()) : null;
    }

    /**
     * Writes all that the file shows once more, in place. What an earlier life left may be in the page cache alone, and a force that is
     * repeated after a failed one proves nothing.
     */
    static void writeAgain(StorageFile file) throws StorageException {
        ByteBuffer bytes = ByteBuffer.allocate(READ_ENTRIES * ENTRY_BYTES);
        long position = 0;
        for (int count = file.read(bytes, position); count > 0; count = file.read(bytes.clear(), position)) {
            file.write(bytes.flip(), position);
            position += count;
        }
    }

    private static Leaf leaf(ByteBuffer entry) {
        byte[] hash = new byte[TransferDigest.LENGTH_BYTES];
        long index = entry.getLong();
        int length = entry.getInt();
        entry.get(hash);
        return new Leaf(index, length, hash);
    }

    private static void checkHeader(StorageFile file, TransferKey key, int fragmentSizeBytes) throws StorageException {
        ByteBuffer header = ByteBuffer.allocate(ENTRY_BYTES);
        int length = file.read(header, 0);
        if (length < ENTRY_BYTES || !isSealed(header) || header.getInt(0) != MAGIC) {
            throw new CorruptRecordException(file.path() + ": has no valid header");
        }
        if (header.getShort(4) > VERSION) {
            throw new FormatTooNewException(
                    file.path() + ": version " + header.getShort(4) + "; this program reads up to " + VERSION);
        }
        ByteBuffer expected = ByteBuffer.allocate(ENTRY_BYTES);
        expected.putInt(MAGIC).putShort((short) VERSION).putShort((short) ENTRY_BYTES);
        key.putInto(expected);
        expected.putInt(fragmentSizeBytes);
        if (!seal(expected).equals(header.flip())) {
            throw new CorruptRecordException(file.path() + ": belongs to another transfer than " + key);
        }
    }

    private static long position(long index) {
        return (index + 1) * ENTRY_BYTES;
    }

    /** Sets the checksum of a 64-byte piece and makes it ready for reading. */
    private static ByteBuffer seal(ByteBuffer piece) {
        piece.putInt(CRC_OFFSET, Crc32c.of(piece.slice(0, CRC_OFFSET)));
        return piece.clear();
    }

    private static boolean isSealed(ByteBuffer piece) {
        return piece.getInt(CRC_OFFSET) == Crc32c.of(piece.slice(0, CRC_OFFSET));
    }
}
