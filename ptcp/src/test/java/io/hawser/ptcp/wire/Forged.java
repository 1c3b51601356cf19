package io.hawser.ptcp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** Makes any bytes into such that pass the checks of magic, version and checksum, so that a fuzzer gets behind them. */
public final class Forged {
    private static final int CRC_OF_PREAMBLE = PacketCodec.PREAMBLE_BYTES - 4;

    private Forged() {}

    /** {@code bytes} as control frames: each header's magic, version, checksums and upper length are set right. */
    public static byte[] frames(byte[] bytes) {
        ByteBuf out = Unpooled.copiedBuffer(bytes);
        int at = 0;
        while (bytes.length - at >= ControlFrameCodec.HEADER_BYTES) {
            out.setInt(at, 0x48575352).setByte(at + 4, 1).setMedium(at + 8, 0);
            int payload = at + ControlFrameCodec.HEADER_BYTES;
            int length = Math.min(out.getUnsignedByte(at + 11), bytes.length - payload);
            out.setByte(at + 11, length);
            out.setInt(at + 12, Checksums.crc32c(out, payload, length));
            out.setInt(at + 16, Checksums.crc32c(out, at, 16));
            at = payload + length;
        }
        return out.array();
    }

    /** {@code bytes} as packets: each preamble's magic, version and checksums are set right, and lengths made small. */
    public static byte[] packets(byte[] bytes) {
        ByteBuf out = Unpooled.copiedBuffer(bytes);
        int at = 0;
        while (bytes.length - at >= PacketCodec.PREAMBLE_BYTES) {
            out.setInt(at, 0x48504b54).setByte(at + 4, 1).setByte(at + 9, 0).setShort(at + 12, 0);
            out.setInt(at + CRC_OF_PREAMBLE, Checksums.crc32c(out, at, CRC_OF_PREAMBLE));
            int rest = Math.max(0, out.getInt(at + 8) - PacketCodec.INLINE_HEADER_BYTES);
            int behind = at + PacketCodec.PREAMBLE_BYTES;
            if (rest > 0 && rest <= bytes.length - behind - PacketCodec.REST_CRC_BYTES) {
                out.setInt(behind + rest, Checksums.crc32c(out, behind, rest));
                behind += rest + PacketCodec.REST_CRC_BYTES;
            }
            at = behind + out.getUnsignedShort(at + 14);
        }
        return out.array();
    }
}
