package io.hawser.ptcp.wire;

import io.netty.buffer.ByteBuf;
import java.util.zip.CRC32C;

/** CRC32C over a range of a buffer. */
final class Checksums {
    private Checksums() {}

    static int crc32c(ByteBuf buffer, int index, int length) {
        CRC32C crc = new CRC32C();
        if (buffer.hasArray()) {
            crc.update(buffer.array(), buffer.arrayOffset() + index, length);
        } else if (buffer.nioBufferCount() == 1) {
            crc.update(buffer.internalNioBuffer(index, length));
        } else {
            for (java.nio.ByteBuffer part : buffer.nioBuffers(index, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }
}
