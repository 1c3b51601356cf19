package io.hawser.ptcp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Encodes and decodes the preamble of packets. The package description has the layout. */
public final class PacketCodec {
    /** Length of the preamble. */
    public static final int PREAMBLE_BYTES = 128;

    /** Where the inline part of a packet's header begins. */
    public static final int INLINE_OFFSET = 16;

    /** The longest packet header that fits into the preamble. */
    public static final int INLINE_HEADER_BYTES = 108;

    /** Length of the checksum after the rest of a long header. */
    public static final int REST_CRC_BYTES = 4;

    private static final int CRC_OFFSET = INLINE_OFFSET + INLINE_HEADER_BYTES;
    private static final int MAGIC = 0x48504b54; // "HPKT"
    private static final int LAYOUT_VERSION = 1;
    private static final int KIND_PACKET = 1;
    private static final int KIND_END = 2;
    private static final byte[] ZEROS = new byte[INLINE_HEADER_BYTES];

    /**
     * A checked preamble.
     *
     * @param isEnd nothing follows in this direction
     */
    public record Preamble(boolean isEnd, int headerLength, int payloadLength) {
        /** How many bytes of the header, without their checksum, follow the preamble. */
        public int restLength() {
            return Math.max(0, headerLength - INLINE_HEADER_BYTES);
        }
    }

    private PacketCodec() {}

    /**
     * Reads a preamble.
     *
     * @param preamble {@value #PREAMBLE_BYTES} bytes at index 0
     * @throws MalformedFrameException if it is not a preamble of this version within the limits
     */
    public static Preamble decode(ByteBuf preamble) throws MalformedFrameException {
        if (preamble.getInt(0) != MAGIC) {
            throw new MalformedFrameException("a data channel carries something else than packets");
        }
        if (preamble.getUnsignedByte(4) != LAYOUT_VERSION) {
            throw new MalformedFrameException("packet layout version " + preamble.getUnsignedByte(4) + " is not known");
        }
        if (preamble.getInt(CRC_OFFSET) != Checksums.crc32c(preamble, 0, CRC_OFFSET)) {
            throw new MalformedFrameException("the checksum of a packet's preamble is wrong");
        }
        int kind = preamble.getUnsignedByte(5);
        long headerLength = preamble.getUnsignedInt(8);
        long payloadLength = preamble.getUnsignedInt(12);
        if (kind == KIND_END && headerLength == 0 && payloadLength == 0) {
            return new Preamble(true, 0, 0);
        }
        if (kind != KIND_PACKET) {
            throw new MalformedFrameException("packet kind " + kind + " is not known");
        }
        checkLengths(headerLength, payloadLength);
        return new Preamble(false, (int) headerLength, (int) payloadLength);
    }

    private static void checkLengths(long headerLength, long payloadLength) throws MalformedFrameException {
        if (headerLength < 1 || headerLength > FrameLimits.PACKET_HEADER_BYTES) {
            throw new MalformedFrameException("a packet header of " + headerLength + " bytes, 1 to "
                    + FrameLimits.PACKET_HEADER_BYTES + " are allowed");
        }
        if (payloadLength > FrameLimits.PACKET_PAYLOAD_BYTES) {
            throw new MalformedFrameException("a payload of " + payloadLength + " bytes, at most "
                    + FrameLimits.PACKET_PAYLOAD_BYTES + " are allowed");
        }
    }

    /**
     * Checks the rest of a long header.
     *
     * @param header the whole header at index 0, then the checksum of its rest
     * @throws MalformedFrameException if the checksum is wrong
     */
    public static void checkRest(ByteBuf header, int headerLength) throws MalformedFrameException {
        int crc = Checksums.crc32c(header, INLINE_HEADER_BYTES, headerLength - INLINE_HEADER_BYTES);
        if (header.getInt(headerLength) != crc) {
            throw new MalformedFrameException("the checksum of a packet's long header is wrong");
        }
    }

    /**
     * The bytes that come before a payload. The caller owns the buffer.
     *
     * @param header 1 byte to 64 KiB, left unread
     * @throws IllegalArgumentException if a length is beyond the limits
     */
    public static ByteBuf encode(ByteBuf header, int payloadLength, ByteBufAllocator allocator) {
        int headerLength = header.readableBytes();
        if (headerLength < 1 || headerLength > FrameLimits.PACKET_HEADER_BYTES) {
            throw new IllegalArgumentException("a packet header of " + headerLength + " bytes");
        }
        if (payloadLength > FrameLimits.PACKET_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a payload of " + payloadLength + " bytes");
        }
        int inline = Math.min(headerLength, INLINE_HEADER_BYTES);
        int rest = headerLength - inline;
        int length = rest == 0 ? PREAMBLE_BYTES : PREAMBLE_BYTES + rest + REST_CRC_BYTES;
        ByteBuf out = allocator.directBuffer(length, length);
        writePreamble(out, KIND_PACKET, header.slice(header.readerIndex(), inline), headerLength, payloadLength);
        if (rest > 0) {
            out.writeBytes(header, header.readerIndex() + inline, rest);
            out.writeInt(Checksums.crc32c(out, PREAMBLE_BYTES, rest));
        }
        return out;
    }

    /** The preamble that says that nothing follows. The caller owns the buffer. */
    public static ByteBuf encodeEnd(ByteBufAllocator allocator) {
        ByteBuf out = allocator.directBuffer(PREAMBLE_BYTES, PREAMBLE_BYTES);
        writePreamble(out, KIND_END, Unpooled.EMPTY_BUFFER, 0, 0);
        return out;
    }

    /** The buffer's own methods would take hundreds of calls, which are slow until they are compiled. */
    private static void writePreamble(ByteBuf out, int kind, ByteBuf inline, int headerLength, int payloadLength) {
        ByteBuffer preamble = out.nioBuffer(0, PREAMBLE_BYTES);
        preamble.putInt(MAGIC).put((byte) LAYOUT_VERSION).put((byte) kind).putShort((short) 0);
        preamble.putInt(headerLength).putInt(payloadLength);
        inline.readBytes(preamble.limit(INLINE_OFFSET + inline.readableBytes()));
        preamble.limit(CRC_OFFSET).put(ZEROS, 0, preamble.remaining());
        CRC32C crc = new CRC32C();
        crc.update(preamble.flip());
        preamble.limit(PREAMBLE_BYTES).putInt((int) crc.getValue());
        out.writerIndex(PREAMBLE_BYTES);
    }
}
