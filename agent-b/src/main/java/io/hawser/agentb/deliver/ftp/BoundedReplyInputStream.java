package io.hawser.agentb.deliver.ftp;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends a control connection on which the server sends a reply without end: commons-net keeps every line of a reply on the heap. Bytes that were read
 * ahead count for the reply before.
 *
 * <p>Thread: one at a time.
 */
final class BoundedReplyInputStream extends FilterInputStream {
    /** The longest honest replies are tokens of GSI with the names of all CAs: some tens of KiB. */
    static final int MAX_REPLY_BYTES = 128 << 10;
    /** The heap that an empty line takes. */
    private static final int LINE_BYTES = 64;

    private int replyBytes;

    BoundedReplyInputStream(InputStream in) {
        super(in);
    }

    /** The next reply begins. */
    void nextReply() {
        replyBytes = 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = super.read(into, offset, length);
        for (int i = 0; i < count; i++) {
            replyBytes += into[offset + i] == '\n' ? LINE_BYTES : 1;
        }
        if (replyBytes > MAX_REPLY_BYTES) {
            throw new IOException("the far server sent a reply of more than " + (MAX_REPLY_BYTES >> 10)
                    + " KiB (a line counts " + LINE_BYTES + " bytes more); check that it is an FTP server");
        }
        return count;
    }
}
