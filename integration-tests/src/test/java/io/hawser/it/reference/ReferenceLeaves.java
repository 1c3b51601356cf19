package io.hawser.it.reference;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Which fragments of a transfer the slots of a {@code .leaves} file call durable, as far as the file of its bytes is long enough.
 *
 * @param fragments the whole ones, and at the landing area also the tail
 * @param bytes of all of them, with partial ones
 */
record ReferenceLeaves(FragmentRanges fragments, long bytes) {
    private static final int SLOT_BYTES = 64;
    private static final int MAGIC = 0x48574C46; // "HWLF"
    private static final int VERSION = 1;

    /** No file, no fragments. */
    static ReferenceLeaves none() {
        return new ReferenceLeaves(new FragmentRanges(), 0);
    }

    /**
     * Reads the slots in {@code leaves}.
     *
     * @param partial whether fragments that are shorter than the fragment size are counted among {@link #fragments}
     */
    static ReferenceLeaves read(
            Storage storage, Path leaves, Path content, TransferKey key, int fragmentSizeBytes, boolean partial)
            throws StorageException {
        FileFacts facts = storage.facts(content);
        if (facts == null || storage.facts(leaves) == null) {
            return none();
        }
        FragmentRanges found = new FragmentRanges();
        long sum = 0;
        byte[] bytes = storage.readAll(leaves);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        ByteBuffer named = key.putInto(ByteBuffer.allocate(TransferKey.LENGTH_BYTES));
        for (int at = 0; at + SLOT_BYTES <= bytes.length; at += SLOT_BYTES) {
            CRC32C crc = new CRC32C();
            crc.update(named.array());
            crc.update(bytes, at, SLOT_BYTES - 4);
            if (in.getInt(at) != MAGIC || (int) crc.getValue() != in.getInt(at + SLOT_BYTES - 4)) {
                continue;
            }
            if (in.getInt(at + 4) != VERSION) {
                throw new StorageException(leaves + ": a slot of version " + in.getInt(at + 4));
            }
            long index = in.getLong(at + 8);
            int length = in.getInt(at + 16);
            boolean counts = index == at / SLOT_BYTES
                    && length > 0
                    && length <= fragmentSizeBytes
                    && index * fragmentSizeBytes + length <= facts.sizeBytes();
            if (counts) {
                sum += length;
                if (partial || length == fragmentSizeBytes) {
                    found.add(index);
                }
            }
        }
        return new ReferenceLeaves(found, sum);
    }
}
