package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.ftp.download.FtpDataSender;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.NameEncoding;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;

/**
 * A listing that is sent. Its lines end with CR LF in every type; nothing is converted (lftp lists in TYPE A and would see CR CR LF).
 *
 * <p>Thread: the loop.
 */
public final class ListingContent implements FtpDataSender.Content {
    private static final int PIECE_BYTES = 16 << 10;
    private static final byte[] LINE_END = {'\r', '\n'};

    private final Iterator<String> lines;
    private final String summary;
    private long offset;

    private ListingContent(Iterator<String> lines, String summary) {
        this.summary = summary;
        this.lines = lines;
    }

    /** Sends {@code lines} as the answer to the command that runs, and {@code summary} after them; or the refusal if there is no way. */
    public static void send(FtpSession session, Iterator<String> lines, String summary) {
        if (session.dataPaths().hasWayOut()) {
            FtpDataSender.of(session, "the listing", false, new ListingContent(lines, summary))
                    .begin();
        }
    }

    @Override
    public boolean sendOne(FtpDataSender.Target target) {
        if (!lines.hasNext()) {
            return false;
        }
        ByteArrayOutputStream piece = new ByteArrayOutputStream(PIECE_BYTES);
        while (lines.hasNext() && piece.size() < PIECE_BYTES) {
            piece.writeBytes(NameEncoding.encode(lines.next()));
            piece.writeBytes(LINE_END);
        }
        target.piece(offset, ByteBuffer.wrap(piece.toByteArray()));
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
}
