package io.hawser.agenta.sftp.session;

import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.sftp.wire.PacketType;
import io.hawser.agenta.sftp.wire.PacketWriter;
import io.hawser.agenta.sftp.wire.StatusCode;
import io.hawser.core.ftp.FtpPath;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * A directory that is listed.
 *
 * <p>Thread: the loop.
 */
final class OpenDirectory implements OpenFile {
    private static final int PAGE_BYTES = 32 << 10;

    private final FtpPath path;
    private final Iterator<PathFacts> entries;

    OpenDirectory(FtpPath path, Collection<PathFacts> entries) {
        this.path = path;
        this.entries = List.copyOf(entries).iterator();
    }

    @Override
    public FtpPath path() {
        return path;
    }

    /** The answer to READDIR: some entries more, or that these were all. */
    byte[] next(int id) {
        if (!entries.hasNext()) {
            return Replies.status(id, StatusCode.EOF, "No more entries");
        }
        PacketWriter body = new PacketWriter(PacketType.NAME, id, PAGE_BYTES).u32(0);
        int count = 0;
        long now = System.currentTimeMillis();
        while (entries.hasNext() && body.length() < PAGE_BYTES) {
            PathFacts entry = entries.next();
            count++;
            Replies.entry(body, entry, now);
        }
        return body.countAt(2 * Integer.BYTES + 1, count).done();
    }

    @Override
    public void clientGone() {
        // It holds nothing.
    }
}
