package io.hawser.agentb.blocks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What stands in front of each block of MODE E, big-endian: flags, count (8 bytes), offset (8 bytes).
 *
 * @param flags {@link #EOF}, {@link #EOD} and others
 * @param count bytes of data that follow; without a meaning in an EOF block
 * @param offset the file position of the first; in an EOF block how many EODs are to be expected
 */
public record BlockHeader(int flags, long count, long offset) {
    public static final int LENGTH_BYTES = 17;
    /** The last block of this transfer on this connection. */
    public static final int EOD = 0x08;
    /** The block says how many connections carry the transfer. */
    public static final int EOF = 0x40;

    /** The next header, or null if the connection ends here. Throws ProtocolException if it says what cannot be. */
    static @Nullable BlockHeader read(InputStream in) throws IOException {
        byte[] bytes = new byte[LENGTH_BYTES];
        int length = in.readNBytes(bytes, 0, LENGTH_BYTES);
        if (length == 0) {
            return null;
        }
        if (length < LENGTH_BYTES) {
            throw new EOFException("a block's header was cut off");
        }
        ByteBuffer fields = ByteBuffer.wrap(bytes);
        BlockHeader header = new BlockHeader(fields.get() & 0xFF, fields.getLong(), fields.getLong());
        if (!header.isEof() && (header.count < 0 || header.offset < 0 || header.offset + header.count < 0)) {
            throw new ProtocolException("a block of " + header.count + " bytes at " + header.offset);
        }
        return header;
    }

    /** Writes it to the beginning of {@code block}. */
    public void write(byte[] block) {
        ByteBuffer.wrap(block).put((byte) flags).putLong(count).putLong(offset);
    }

    boolean isEof() {
        return (flags & EOF) != 0;
    }

    boolean isEod() {
        return (flags & EOD) != 0;
    }

    /** How much data follows. */
    long dataBytes() {
        return isEof() ? 0 : count;
    }
}
