package io.hawser.agenta.ftp.modee;

import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.MalformedBlockException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the blocks of one connection through one transfer: where the next bytes belong. Pure; it never sees the payload.
 *
 * <p>Thread: its owner's.
 */
final class BlockDecoder {
    private final ByteBuffer header = ByteBuffer.allocate(BlockHeader.LENGTH_BYTES);
    private long position;
    private long remaining;
    private boolean lastBlock;
    private boolean ended;
    private boolean closes;
    private boolean begun;

    /** How many bytes of a header come next; 0 within a payload and after the end. */
    int headerMissing() {
        return remaining > 0 || ended ? 0 : header.remaining();
    }

    /** Where in the file the next payload byte belongs. */
    long position() {
        return position;
    }

    /** How many payload bytes of this block are still to come. */
    long remaining() {
        return remaining;
    }

    /** Whether this connection's EOD has come, with all of its block. */
    boolean ended() {
        return ended;
    }

    /** Whether the sender closes the connection after its EOD. */
    boolean closes() {
        return closes;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Takes bytes of a header, at most {@link #headerMissing}. Returns the header when it is complete. */
    @Nullable
    BlockHeader header(ByteBuffer bytes) throws MalformedBlockException {
        begun = true;
        header.put(bytes);
        if (header.hasRemaining()) {
            return null;
        }
        BlockHeader block = BlockHeader.read(header.flip());
        header.clear();
        position = block.offset();
        remaining = block.payloadBytes();
        lastBlock = block.isEod();
        closes |= block.closes();
        endIfDone();
        return block;
    }

    /** {@code length} bytes of payload have come, at most {@link #remaining}. */
    void payload(int length) {
        if (length > remaining) {
            throw new IllegalArgumentException(length + " bytes of " + remaining);
        }
        position += length;
        remaining -= length;
        endIfDone();
    }

    private void endIfDone() {
        ended = remaining == 0 && lastBlock;
    }
}
