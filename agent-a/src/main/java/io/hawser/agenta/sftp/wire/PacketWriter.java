package io.hawser.agenta.sftp.wire;

import io.hawser.core.ftp.NameEncoding;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Makes one packet, with its length before it.
 *
 * <p>Thread: its owner's.
 */
public final class PacketWriter {
    private static final int USUAL_BYTES = 128;

    private ByteBuffer bytes;

    /** A packet of {@code type} that answers {@code id}. */
    public PacketWriter(PacketType type, int id) {
        this(type, id, USUAL_BYTES);
    }

    /** The same, for {@code payloadBytes} after the id. */
    public PacketWriter(PacketType type, int id, int payloadBytes) {
        bytes = ByteBuffer.allocate(2 * Integer.BYTES + 1 + payloadBytes);
        bytes.putInt(0).put((byte) type.code()).putInt(id);
    }

    public PacketWriter u32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    public PacketWriter u64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    public PacketWriter string(byte[] value) {
        room(Integer.BYTES + value.length).putInt(value.length).put(value);
        return this;
    }

    /** A word of the protocol, or a sentence. */
    public PacketWriter text(String value) {
        return string(value.getBytes(StandardCharsets.UTF_8));
    }

    public PacketWriter name(String value) {
        return string(NameEncoding.encode(value));
    }

    /** How long the packet is by now. */
    public int length() {
        return bytes.position();
    }

    /** Changes the number of 32 bits that stands at {@code position}. */
    public PacketWriter countAt(int position, int count) {
        bytes.putInt(position, count);
        return this;
    }

    /** The packet. Nothing may be added to it any more. */
    public byte[] done() {
        bytes.putInt(0, bytes.position() - Integer.BYTES);
        return bytes.position() == bytes.capacity() ? bytes.array() : Arrays.copyOf(bytes.array(), bytes.position());
    }

    private ByteBuffer room(int count) {
        if (bytes.remaining() < count) {
            int grown = Math.max(2 * bytes.capacity(), bytes.position() + count);
            bytes = ByteBuffer.allocate(grown).put(bytes.flip());
        }
        return bytes;
    }
}
