package io.hawser.core.ftp;

import java.nio.ByteBuffer;

/**
 * The header of a MODE E block, GFD.20 section 3.2: flags, count and offset, big-endian, in {@value #LENGTH_BYTES} bytes.
 *
 * @param flags see the constants
 * @param count bytes of payload that follow, unsigned
 * @param offset of the payload in the file, unsigned; in an EOF block the number of EODs to expect
 */
public record BlockHeader(int flags, long count, long offset) {
    public static final int LENGTH_BYTES = 17;

    /** No payload; the offset is the number of connections that end this transfer with an EOD. */
    public static final int EOF = 0x40;

    /** The last block of this transfer on this connection. */
    public static final int EOD = 0x08;

    /** The sender closes this connection after its EOD. */
    public static final int CLOSE = 0x04;

    /** Bits without effect on a receiver: end of record, and "suspected errors". */
    private static final int HARMLESS = 0x80 | 0x20;

    /** The highest offset of a byte: the limit of file systems with blocks of 4 KiB. */
    private static final long MAX_POSITION = 15L << 40;

    /** Reads a header at the buffer's position; {@link MalformedBlockException} if it is invalid. */
    public static BlockHeader read(ByteBuffer in) throws MalformedBlockException {
        BlockHeader header = new BlockHeader(in.get() & 0xFF, in.getLong(), in.getLong());
        header.check();
        return header;
    }

    /** Writes it at the buffer's position. */
    public void putInto(ByteBuffer out) {
        out.put((byte) flags).putLong(count).putLong(offset);
    }

    private void check() throws MalformedBlockException {
        int unknown = flags & ~(EOF | EOD | CLOSE | HARMLESS);
        if (unknown != 0) {
            throw new MalformedBlockException(
                    "a block with flags 0x" + Integer.toHexString(flags) + ", which are not offered");
        }
        if (isEof()) {
            return; // the end's count is checked where EODs are counted
        }
        if (count < 0 || count > MAX_POSITION) {
            throw new MalformedBlockException("a block of " + Long.toUnsignedString(count) + " bytes");
        }
        if (count > 0 && (offset < 0 || offset > MAX_POSITION - count)) {
            throw new MalformedBlockException("a block at position " + Long.toUnsignedString(offset));
        }
    }

    public boolean isEof() {
        return (flags & EOF) != 0;
    }

    /** Whether it is this connection's last block of the transfer. */
    public boolean isEod() {
        return (flags & EOD) != 0;
    }

    /** Whether the connection is closed after its EOD. */
    public boolean closes() {
        return (flags & CLOSE) != 0;
    }

    /** The bytes of payload that follow. */
    public long payloadBytes() {
        return isEof() ? 0 : count;
    }
}
