package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.ftp.download.BlockSending;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.NameEncoding;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;

/**
 * A listing in MODE E, a block at a time.
 *
 * <p>Thread: the loop.
 */
final class BlockListing implements BlockSending.Content {
    private static final int PIECE_BYTES = 16 << 10;
    private static final byte[] LINE_END = {'\r', '\n'};

    private final Iterator<String> lines;
    private final String summary;
    private long offset;

    private BlockListing(Iterator<String> lines, String summary) {
        this.summary = summary;
        this.lines = lines;
    }

    /** Sends {@code lines} as the answer to the command that runs, and {@code summary} after them. */
    static void send(FtpSession session, Iterator<String> lines, String summary) {
        if (session.dataPaths().hasWayOut()) {
            new BlockSending(session, "the listing", new BlockListing(lines, summary)).begin();
        }
    }

    @Override
    public boolean sendOne(BlockSending.Target target) {
        if (!lines.hasNext()) {
            return false;
        }
        ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE_BYTES);
        while (lines.hasNext() && piece.size() < PIECE_BYTES) {
            piece.writeBytes(NameEncoding.encode(lines.next()));
            piece.writeBytes(LINE_END);
        }
        target.block(offset, ByteBuffer.wrap(piece.toByteArray()));
        offset += piece.size();
        return true;
    }

    @Override
    public boolean isComplete() {
        return !lines.hasNext();
    }

    @Override
    public String summary() {
        return summary;
    }

    @Override
    public void over() {}
}
