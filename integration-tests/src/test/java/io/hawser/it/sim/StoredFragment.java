package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fragment as a record of a journal: it borrows the buffer until it is written, as a direct write does. */
final class StoredFragment implements SimJournal.Entry {
    final TransferKey key;
    final long index;
    final int length;
    final int crc32c;
    final byte[] leaf;
    private final int offset;
    private @Nullable FragmentBuffer borrowed;
    private byte[] bytes = {};
    private int damagedBit = -1;
    private boolean headerDamaged;

    /** Takes a reference of the fragment's buffer. */
    StoredFragment(Fragment fragment) {
        key = fragment.key();
        index = fragment.index();
        length = fragment.length();
        crc32c = fragment.crc32c();
        leaf = fragment.leaf();
        offset = fragment.offset();
        borrowed = fragment.buffer().retain();
    }

    @Override
    public void written() {
        FragmentBuffer buffer = borrowed;
        if (buffer != null) {
            bytes = new byte[length];
            buffer.payload(offset, length).get(bytes);
            borrowed = null;
            buffer.release();
            if (damagedBit >= 0) {
                damage(damagedBit);
            }
        }
    }

    /** The disk will write one bit wrong. */
    void damageWhenWritten(int bit) {
        damagedBit = bit;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Whether the bytes on disk agree with the record's checksum. */
    boolean isIntact() {
        return !headerDamaged && isPayloadIntact();
    }

    /** What a checksum without the header would say. */
    boolean isPayloadIntact() {
        return Crc32c.of(ByteBuffer.wrap(bytes)) == crc32c;
    }

    /** The disk flips a bit. */
    void damage(int bit) {
        bytes = bytes.clone();
        bytes[bit / 8 % length] ^= (byte) (1 << bit % 8);
    }

    /** The disk flips a bit of the record's header: it claims to be another fragment. */
    void damageHeader() {
        headerDamaged = true;
    }

    /** The fragment in memory; null if there is no buffer. */
    @Nullable
    Fragment read(FragmentBufferPool pool) {
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            return null;
        }
        buffer.payload(0, length).put(bytes);
        return new Fragment(
                key, headerDamaged ? index ^ 1 : index, length, crc32c, leaf, Objects.requireNonNull(buffer), 0);
    }
}
