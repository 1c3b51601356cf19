package io.hawser.ptcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PacketCodecTest {
    private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

    /** The bytes of version 1 are fixed for ever. */
    @Test
    void bytesAreThoseOfVersion1() throws IOException {
        String actual = "INLINE " + ByteBufUtil.hexDump(packet(5, 1 << 20)) + "\nEXACT "
                + ByteBufUtil.hexDump(packet(PacketCodec.INLINE_HEADER_BYTES, 0)) + "\nLONG "
                + ByteBufUtil.hexDump(packet(PacketCodec.INLINE_HEADER_BYTES + 3, 7)) + "\nEND "
                + ByteBufUtil.hexDump(end()) + "\n";
        assertThat(actual).isEqualTo(ControlFrameCodecTest.golden("packets.txt"));
    }

    @Test
    void ordinaryHeaderCostsNoBytesBehindThePreamble() throws MalformedFrameException {
        byte[] bytes = packet(PacketCodec.INLINE_HEADER_BYTES, 1000);
        assertThat(bytes).hasSize(PacketCodec.PREAMBLE_BYTES);
        PacketCodec.Preamble preamble = PacketCodec.decode(Unpooled.wrappedBuffer(bytes));
        assertThat(preamble).isEqualTo(new PacketCodec.Preamble(false, PacketCodec.INLINE_HEADER_BYTES, 1000));
        assertThat(preamble.restLength()).isZero();
    }

    @Test
    void longHeaderFollowsWithItsOwnChecksum() throws MalformedFrameException {
        byte[] bytes = packet(500, 1000);
        PacketCodec.Preamble preamble = PacketCodec.decode(Unpooled.wrappedBuffer(bytes));
        assertThat(preamble.restLength()).isEqualTo(500 - PacketCodec.INLINE_HEADER_BYTES);
        ByteBuf whole = Unpooled.buffer()
                .writeBytes(bytes, PacketCodec.INLINE_OFFSET, PacketCodec.INLINE_HEADER_BYTES)
                .writeBytes(bytes, PacketCodec.PREAMBLE_BYTES, preamble.restLength() + PacketCodec.REST_CRC_BYTES);
        PacketCodec.checkRest(whole, 500);
        whole.setByte(400, 0);
        assertThatThrownBy(() -> PacketCodec.checkRest(whole, 500)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void eachFlippedBitOfAPreambleIsDetected() {
        byte[] bytes = packet(50, 100);
        for (int bit = 0; bit < PacketCodec.PREAMBLE_BYTES * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> PacketCodec.decode(Unpooled.wrappedBuffer(damaged)))
                    .isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void aPacketOfAnotherVersionIsRefusedAsThat() {
        byte[] bytes = packet(50, 100);
        bytes[4] = 2;
        assertThatThrownBy(() -> PacketCodec.decode(Unpooled.wrappedBuffer(bytes)))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("version 2 is not known");
    }

    @Test
    void lengthsBeyondTheLimitsAreRefusedOnBothSides() {
        assertThatThrownBy(() -> packet(0, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> packet(FrameLimits.PACKET_HEADER_BYTES + 1, 5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> packet(5, FrameLimits.PACKET_PAYLOAD_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PacketCodec.decode(forged(8, FrameLimits.PACKET_HEADER_BYTES + 1)))
                .hasMessageContaining("a packet header of 65537 bytes");
        assertThatThrownBy(() -> PacketCodec.decode(forged(8, 0))).hasMessageContaining("a packet header of 0 bytes");
        assertThatThrownBy(() -> PacketCodec.decode(forged(12, FrameLimits.PACKET_PAYLOAD_BYTES + 1)))
                .hasMessageContaining("at most 67108864 are allowed");
        assertThatThrownBy(() -> PacketCodec.decode(forged(12, -1))).hasMessageContaining("4294967295 bytes");
    }

    /** A preamble with a right checksum and one wrong field. */
    private static ByteBuf forged(int offset, int value) {
        ByteBuf preamble = Unpooled.copiedBuffer(packet(5, 5)).setInt(offset, value);
        return preamble.setInt(124, Checksums.crc32c(preamble, 0, 124));
    }

    private static byte[] packet(int headerLength, int payloadLength) {
        byte[] header = new byte[headerLength];
        for (int i = 0; i < headerLength; i++) {
            header[i] = (byte) (i + 1);
        }
        return bytesOf(PacketCodec.encode(Unpooled.wrappedBuffer(header), payloadLength, ALLOCATOR));
    }

    private static byte[] end() {
        return bytesOf(PacketCodec.encodeEnd(ALLOCATOR));
    }

    private static byte[] bytesOf(ByteBuf encoded) {
        try {
            return ByteBufUtil.getBytes(encoded);
        } finally {
            encoded.release();
        }
    }
}
