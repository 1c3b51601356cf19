package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.commons.net.ftp.FTPReply;

/**
 * A RETR in stream mode (RFC 959 §3.4.1).
 *
 * <p>Thread: one at a time.
 */
final class StreamRetrieval implements FarRetrieval {
    private static final int STEP_BYTES = 64 << 10;

    /** The longest wait for the end of the data and the reply after the last byte. */
    private static final int END_TIMEOUT_MILLIS = 2_000;

    private final FarSession session;
    private final Socket data;
    private final byte[] step = new byte[STEP_BYTES];

    private StreamRetrieval(FarSession session, Socket data) {
        this.session = session;
        this.data = data;
    }

    /** Begins at {@code start}; where the server knows no REST, reads and drops the bytes before it. */
    static StreamRetrieval begin(FarSession session, String path, long start) throws IOException {
        session.leaveBlocks();
        try {
            return new StreamRetrieval(session, session.client().beginTransfer("RETR", path, start));
        } catch (FarRefusedException e) {
            int code = e.code();
            if (start == 0
                    || code < FTPReply.UNRECOGNIZED_COMMAND
                    || code > FTPReply.COMMAND_NOT_IMPLEMENTED_FOR_PARAMETER) {
                throw FarRefusals.notServed(e, ErrorCode.NOT_ALLOWED); // the file exists, as the stat showed
            }
        }
        Socket fromTheBeginning = session.client().beginTransfer("RETR", path, 0);
        fromTheBeginning.getInputStream().skipNBytes(start);
        return new StreamRetrieval(session, fromTheBeginning);
    }

    @Override
    public void take(ByteBuffer into, int most) throws IOException {
        int count = data.getInputStream().read(step, 0, Math.min(step.length, most));
        if (count < 0) {
            // A killed server closes, too: the reader retries, after a new stat.
            throw NotServedException.unreachable("The far server ended the file early");
        }
        into.put(step, 0, count);
    }

    @Override
    public void end() throws IOException {
        int usual = session.client().getSoTimeout();
        session.client().setSoTimeout(END_TIMEOUT_MILLIS);
        data.setSoTimeout(END_TIMEOUT_MILLIS);
        if (data.getInputStream().read() >= 0) {
            throw new IOException("the far server sends more than the file's size");
        }
        data.close();
        session.client().endTransfer("RETR");
        session.client().setSoTimeout(usual);
    }
}
