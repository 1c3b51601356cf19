package io.hawser.broker.kafka;

import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of a fragment's payload in Kafka: a header that names the fragment, and bytes. The layout is on the package's
 * page. Whether the bytes are right is the whole payload's checksum's business.
 *
 * @param part which of {@code parts}, from 0 on
 * @param offset where its bytes belong in the payload
 * @param payloadLength the whole payload's length
 * @param crc32c the whole payload's checksum
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PayloadPart(
        int part,
        int parts,
        int offset,
        int payloadLength,
        int crc32c,
        TransferKey key,
        long index,
        byte[] leaf,
        long incarnation) {
    static final int HEADER_BYTES = 106;
    private static final int MAGIC = 0x48574B50; // HWKP
    private static final int VERSION = 1;
    private static final int LEAF_BYTES = 32;
    private static final int CRC_OFFSET = 102;

    /** How many parts a payload has when one has at most {@code maxBytes} bytes of it. */
    static int count(int payloadLength, int maxBytes) {
        return Math.max(1, (payloadLength + maxBytes - 1) / maxBytes);
    }

    /** How long part {@code part} of the parts of a payload is, which are of one length but the last. */
    static int encodedLength(int payloadLength, int part, int parts) {
        int length = (payloadLength + parts - 1) / parts;
        return HEADER_BYTES + Math.min(length, payloadLength - Math.min(payloadLength, part * length));
    }

    /** Part {@code part} of the parts of {@code fragment}, into {@code encoded}, which is of its length. */
    static void encode(Fragment fragment, int part, int parts, long incarnation, byte[] encoded) {
        int from = Math.min(fragment.length(), part * ((fragment.length() + parts - 1) / parts));
        ByteBuffer out = ByteBuffer.wrap(encoded);
        out.putInt(MAGIC).put((byte) VERSION).put((byte) 0);
        out.putShort((short) part).putShort((short) parts);
        out.putInt(from).putInt(fragment.length()).putInt(fragment.crc32c());
        fragment.key().putInto(out);
        out.putLong(fragment.index()).put(fragment.leaf()).putLong(incarnation);
        out.putInt(checksum(ByteBuffer.wrap(encoded)));
        out.put(fragment.buffer().payload(fragment.offset() + from, out.remaining()));
    }

    /** Of an encoded part: what its header's checksum must be. */
    static int checksum(ByteBuffer encoded) {
        return Crc32c.of(encoded.slice(0, CRC_OFFSET));
    }

    /** The bytes of an encoded part after its header. */
    static ByteBuffer bytes(ByteBuffer encoded) {
        return encoded.slice(HEADER_BYTES, encoded.limit() - HEADER_BYTES);
    }

    /** The header of an encoded part, from index 0 on, whose bytes are within its payload, or null if it is none. */
    static @Nullable PayloadPart tryRead(ByteBuffer encoded) {
        if (encoded.limit() < HEADER_BYTES) {
            return null;
        }
        ByteBuffer in = encoded.duplicate().rewind();
        if (in.getInt() != MAGIC || in.get() != VERSION || in.getInt(CRC_OFFSET) != checksum(encoded)) {
            return null;
        }
        in.get();
        int part = in.getShort();
        int parts = in.getShort();
        int offset = in.getInt();
        int payloadLength = in.getInt();
        int crc = in.getInt();
        TransferKey key = TransferKey.read(in);
        long index = in.getLong();
        byte[] leaf = new byte[LEAF_BYTES];
        in.get(leaf);
        boolean fits = part >= 0
                && part < parts
                && offset >= 0
                && (long) offset + encoded.limit() - HEADER_BYTES <= payloadLength;
        return fits ? new PayloadPart(part, parts, offset, payloadLength, crc, key, index, leaf, in.getLong()) : null;
    }

    /** Whether both are of one fragment, written at one time. */
    boolean isOfSame(PayloadPart other) {
        return key.equals(other.key)
                && index == other.index
                && incarnation == other.incarnation
                && parts == other.parts
                && payloadLength == other.payloadLength
                && crc32c == other.crc32c
                && Arrays.equals(leaf, other.leaf);
    }
}
