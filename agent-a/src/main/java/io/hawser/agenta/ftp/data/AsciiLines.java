package io.hawser.agenta.ftp.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * A download in TYPE A (RFC 959 section 3.1.1.1): lines end with LF in the file and with CR LF on the wire. Every LF becomes CR LF,
 * so that an upload in TYPE A gives back the same file.
 */
public final class AsciiLines {
    private AsciiLines() {}

    /** A copy of {@code bytes} as it goes over the wire. */
    public static ByteBuf toWire(ByteBuffer bytes) {
        ByteBuf wire = Unpooled.buffer(bytes.remaining() + bytes.remaining() / 16 + 16);
        while (bytes.hasRemaining()) {
            byte b = bytes.get();
            if (b == '\n') {
                wire.writeByte('\r');
            }
            wire.writeByte(b);
        }
        return wire;
    }
}
