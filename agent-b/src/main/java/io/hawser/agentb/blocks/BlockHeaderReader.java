package io.hawser.agentb.blocks;

import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.MalformedBlockException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads block headers from one data connection.
 *
 * <p>Thread: the connection's; blocks.
 */
final class BlockHeaderReader {
    private BlockHeaderReader() {}

    /** The next header, or null at the end of the connection. Throws ProtocolException if it is malformed. */
    static @Nullable BlockHeader next(InputStream in) throws IOException {
        byte[] bytes = new byte[BlockHeader.LENGTH_BYTES];
        int length = in.readNBytes(bytes, 0, bytes.length);
        if (length == 0) {
            return null;
        }
        if (length < bytes.length) {
            throw new EOFException("a data connection ended within a block header");
        }
        try {
            return BlockHeader.read(ByteBuffer.wrap(bytes));
        } catch (MalformedBlockException e) {
            throw new ProtocolException(e.getMessage());
        }
    }
}
