package io.hawser.agenta.sftp.wire;

import io.hawser.core.ftp.NameEncoding;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads one packet from its beginning to its end.
 *
 * <p>Thread: its owner's.
 */
public final class PacketReader {
    private final ByteBuffer bytes;

    public PacketReader(byte[] packet) {
        this.bytes = ByteBuffer.wrap(packet);
    }

    public int u8() throws BadPacketException {
        need(1);
        return bytes.get() & 0xff;
    }

    public int u32() throws BadPacketException {
        need(Integer.BYTES);
        return bytes.getInt();
    }

    /** A number of 64 bits; {@link BadPacketException} for one that no file has as its size. */
    public long position() throws BadPacketException {
        need(Long.BYTES);
        long value = bytes.getLong();
        if (value < 0) {
            throw new BadPacketException("a position of more than 63 bits");
        }
        return value;
    }

    /** A view of a string's bytes. */
    public ByteBuffer string() throws BadPacketException {
        int length = u32();
        if (length < 0) {
            throw new BadPacketException("a string of " + Integer.toUnsignedString(length) + " bytes");
        }
        need(length);
        ByteBuffer string = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return string;
    }

    /** A file name, as {@link NameEncoding} text. */
    public String name() throws BadPacketException {
        ByteBuffer string = string();
        return NameEncoding.decode(string.array(), string.arrayOffset(), string.remaining());
    }

    /** A word of the protocol. */
    public String word() throws BadPacketException {
        return StandardCharsets.UTF_8.decode(string()).toString();
    }

    public boolean isAtEnd() {
        return !bytes.hasRemaining();
    }

    private void need(int count) throws BadPacketException {
        if (bytes.remaining() < count) {
            throw new BadPacketException("a packet that is too short");
        }
    }
}
