package io.hawser.agenta.ftp.download;

import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.download.FileChunk;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is downloaded: blocks in its order in stream mode, and as they come in MODE E.
 *
 * <p>Thread: the loop.
 */
final class FileContent implements FtpDataSender.Content, DownloadWindow.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(FileContent.class);
    private static final int STREAM_PIECE_BYTES = 64 << 10;
    private static final int BLOCK_PIECE_BYTES = 128 << 10;
    /** How long a client may take nothing before others get its blocks. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FtpSession session;
    private final FtpPath path;
    private final DownloadWindow window;
    private final long baseBytes;
    private final int pieceBytes;
    private final FtpDataSender sending;
    private @Nullable FileChunk block;
    private int used;
    private long sentBytes;
    private boolean wanting;
    private boolean complete;

    private FileContent(
            FtpSession session,
            FtpPath path,
            VersionedSource source,
            List<DownloadWindow.Range> ranges,
            long baseBytes) {
        boolean blocks = session.settings().extendedBlocks();
        long bytes =
                ranges.stream().mapToLong(range -> range.to() - range.from()).sum();
        this.session = session;
        this.path = path;
        this.baseBytes = baseBytes;
        this.pieceBytes = blocks ? BLOCK_PIECE_BYTES : STREAM_PIECE_BYTES;
        this.window = new DownloadWindow(source, ranges, !blocks, this);
        this.sending = FtpDataSender.of(
                session, path + " (" + bytes + " bytes)", session.settings().ascii(), this);
    }

    /**
     * @param ranges what of the file is sent
     * @param baseBytes the position in the file that the client calls 0
     */
    static void send(
            FtpSession session,
            FtpPath path,
            VersionedSource source,
            List<DownloadWindow.Range> ranges,
            long baseBytes) {
        FileContent content = new FileContent(session, path, source, ranges, baseBytes);
        content.sending.begin();
        content.window.start();
    }

    @Override
    public boolean sendOne(FtpDataSender.Target target) {
        if (block == null && !wanting && !complete) {
            wanting = true;
            window.want(); // perhaps the block, or the end, inside this call
        }
        FileChunk from = block;
        if (from == null) {
            return false;
        }
        int count = Math.min(pieceBytes, from.length() - used);
        target.piece(from.offset() + used - baseBytes, from.bytes(used, count));
        used += count;
        sentBytes += count;
        session.downloads().sent(count);
        if (used == from.length()) {
            release(); // it is null if the write failed at once
        }
        return true;
    }

    private void release() {
        FileChunk held = block;
        block = null;
        if (held != null) {
            held.release();
        }
    }

    @Override
    public boolean isComplete() {
        return complete && block == null;
    }

    @Override
    public Optional<String> progress() {
        String awaited = !sending.isConnected()
                ? ", waiting for the data connection"
                : !sending.isWritable()
                        ? ", waiting for the client to read"
                        : wanting ? ", waiting for the source" : "";
        return Optional.of("Downloading " + path + ": " + sentBytes + " bytes sent" + awaited
                + (window.isPaused() ? " (others have its memory meanwhile)" : ""));
    }

    @Override
    public void block(FileChunk next) {
        wanting = false;
        block = next;
        used = 0;
        sending.pump();
    }

    @Override
    public void complete() {
        wanting = false;
        complete = true;
        sending.pump();
    }

    @Override
    public void failed(Refusal why) {
        LOG.atWarn()
                .addKeyValue("session", session.id())
                .addKeyValue("path", path)
                .addKeyValue("sent", sentBytes)
                .addKeyValue("why", why)
                .log("download broken off");
        sending.fail(reply(why));
    }

    /** What is said of a download that has begun and cannot continue: not 550, as if there were no file. */
    private FtpReply reply(Refusal why) {
        FtpReply reply = why.code() == ErrorCode.UNREACHABLE
                ? FtpReply.about(
                        ReplyCode.TRANSFER_ABORTED, path, "the far end was not reachable for too long; try again later")
                : FailureReplies.of(path, RequestFailure.ofQuestion(why));
        return reply.code() == ReplyCode.FILE_UNAVAILABLE
                ? FtpReply.of(ReplyCode.LOCAL_ERROR, reply.lines().get(0))
                : reply;
    }

    @Override
    public void giveBackIfStalled() {
        if (sending.isStalled(STALLED_NANOS)) {
            wanting = false;
            window.pause();
            FileChunk held = block;
            if (held != null) {
                block = null;
                window.putBack(held, used);
            }
        }
    }

    @Override
    public void over() {
        session.moved(path, null, sentBytes);
        window.cancel();
        release();
    }
}
