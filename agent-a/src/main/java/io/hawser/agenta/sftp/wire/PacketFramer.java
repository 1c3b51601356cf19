package io.hawser.agenta.sftp.wire;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into packets: four bytes of length before each.
 *
 * <p>Thread: its owner's.
 */
public final class PacketFramer {
    /** As OpenSSH's server has it. */
    public static final int MAX_PACKET_BYTES = 256 << 10;

    private static final int LENGTH_BYTES = 4;

    private final byte[] length = new byte[LENGTH_BYTES];
    private int lengthFilled;
    private byte @Nullable [] packet;
    private int filled;

    /** Adds to {@code packets} those that are complete with {@code count} bytes more. */
    public void add(byte[] bytes, int offset, int count, List<byte[]> packets) throws BadPacketException {
        int at = offset;
        int end = offset + count;
        while (at < end) {
            byte[] current = packet;
            if (current == null) {
                length[lengthFilled++] = bytes[at++];
                if (lengthFilled == LENGTH_BYTES) {
                    packet = new byte[checkedLength()];
                    filled = 0;
                    lengthFilled = 0;
                }
                continue;
            }
            int part = Math.min(end - at, current.length - filled);
            System.arraycopy(bytes, at, current, filled, part);
            filled += part;
            at += part;
            if (filled == current.length) {
                packets.add(current);
                packet = null;
            }
        }
    }

    private int checkedLength() throws BadPacketException {
        int value = ByteBuffer.wrap(length).getInt();
        if (value < 1 || value > MAX_PACKET_BYTES) {
            throw new BadPacketException("a packet of " + Integer.toUnsignedString(value) + " bytes");
        }
        return value;
    }
}
