package io.hawser.agenta.ftp.download;

import io.hawser.agenta.download.Block;
import io.hawser.agenta.download.BlockSource;
import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.data.AsciiLines;
import io.hawser.agenta.ftp.data.DataChannel;
import io.hawser.agenta.ftp.data.DataOpening;
import io.hawser.agenta.ftp.data.DataOutput;
import io.hawser.agenta.ftp.session.DataPort;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A download in stream mode: blocks in the order of the file, as fast as the client takes them. It ends with 226 when the last
 * byte has been handed to the system; otherwise the data connection is reset, since an orderly end would look like the file's.
 *
 * <p>Thread: the loop.
 */
final class DownloadTransfer implements Transfer, DataOutput.Flow, DownloadWindow.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(DownloadTransfer.class);
    private static final int PIECE_BYTES = 64 << 10;
    /** How long a client may take nothing before others get its blocks. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FtpSession session;
    private final FtpPath path;
    private final DownloadWindow window;
    private final boolean ascii;
    private @Nullable DataOpening port;
    private @Nullable DataOutput output;
    private @Nullable ScheduledFuture<?> stallWatch;
    private @Nullable Block block;
    private int used;
    private long sentBytes;
    private boolean wanting;
    private boolean complete;
    private boolean finishing;
    private boolean done;
    private long progressNanos;

    private DownloadTransfer(FtpSession session, FtpPath path, BlockSource source, DownloadWindow.Range range) {
        this.session = session;
        this.path = path;
        this.ascii = session.settings().ascii();
        this.window = new DownloadWindow(source, List.of(range), true, this);
    }

    /** Starts to send {@code range} over the data connection that the session has prepared. */
    static void begin(FtpSession session, FtpPath path, BlockSource source, DownloadWindow.Range range) {
        DownloadTransfer transfer = new DownloadTransfer(session, path, source, range);
        session.transferBegins(transfer);
        session.preliminary(
                ReplyCode.STARTING,
                "Opening " + (transfer.ascii ? "ASCII" : "BINARY") + " mode data connection for " + path + " ("
                        + (range.to() - range.from()) + " bytes).");
        transfer.port = session.dataPort().take(transfer::connected, transfer::notConnected);
        transfer.window.start();
    }

    private void connected(DataChannel channel) {
        if (done) {
            channel.close();
            return;
        }
        output = channel.output(this);
        progressNanos = System.nanoTime();
        watchForStall();
        writable();
    }

    private void notConnected(Throwable cause) {
        end(DataPort.noConnection(cause));
    }

    @Override
    public Optional<String> progress() {
        DataOutput to = output;
        String awaited = to == null
                ? ", waiting for the data connection"
                : !to.isWritable() ? ", waiting for the client to read" : wanting ? ", waiting for the source" : "";
        if (window.isPaused()) {
            awaited += " (others have its memory meanwhile)";
        }
        return Optional.of("Downloading " + path + ": " + sentBytes + " bytes sent" + awaited);
    }

    /** Only the client is watched here: for the far end each read has a patience of its own. */
    private void watchForStall() {
        long allowed = session.limits().times().dataStall().toNanos();
        stallWatch = session.later(allowed, () -> {
            boolean waitsForClient = output != null && !output.isWritable();
            if (waitsForClient && System.nanoTime() - progressNanos >= allowed) {
                end(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "Nothing was read from the data connection for too long."));
            } else {
                watchForStall();
            }
        });
    }

    @Override
    public void writable() {
        while (!done && output != null && output.isWritable()) {
            if (block != null) {
                writePiece(output, block);
            } else if (complete) {
                finish(output);
                return;
            } else if (wanting) {
                return;
            } else {
                wanting = true;
                window.want();
            }
        }
    }

    private void writePiece(DataOutput to, Block from) {
        int count = Math.min(PIECE_BYTES, from.length() - used);
        ByteBuffer bytes = from.bytes(used, count);
        used += count;
        sentBytes += count;
        if (ascii) {
            to.write(AsciiLines.toWire(bytes));
        } else {
            to.write(bytes);
        }
        if (used == from.length() && block != null) { // null if the write failed at once
            block = null;
            from.release();
        }
    }

    private void finish(DataOutput to) {
        if (!finishing) {
            finishing = true;
            to.finish(cause -> end(
                    cause == null ? FtpReply.of(ReplyCode.TRANSFER_COMPLETE, "Transfer complete.") : brokenReply()));
        }
    }

    @Override
    public void block(Block next) {
        wanting = false;
        block = next;
        used = 0;
        writable();
    }

    @Override
    public void complete() {
        wanting = false;
        complete = true;
        writable();
    }

    @Override
    public void failed(Refusal why) {
        LOG.atWarn()
                .addKeyValue("session", session.id())
                .addKeyValue("path", path)
                .addKeyValue("sent", sentBytes)
                .addKeyValue("why", why)
                .log("download broken off");
        end(reply(path, why));
    }

    /** What is said of a download that has begun and cannot continue. */
    static FtpReply reply(FtpPath path, Refusal why) {
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
        boolean stalled = output == null || (!output.isWritable() && System.nanoTime() - progressNanos > STALLED_NANOS);
        if (stalled && !done) {
            wanting = false;
            window.pause();
            Block held = block;
            if (held != null) {
                block = null;
                window.putBack(held, used);
            }
        }
    }

    @Override
    public void progressed() {
        progressNanos = System.nanoTime();
    }

    @Override
    public void broken(Throwable cause) {
        end(brokenReply());
    }

    private static FtpReply brokenReply() {
        return FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The data connection was closed before the end.");
    }

    private void end(FtpReply reply) {
        if (done) {
            return;
        }
        done = true;
        window.cancel();
        if (block != null) {
            block.release();
            block = null;
        }
        if (stallWatch != null) {
            stallWatch.cancel(false);
        }
        if (output != null) {
            output.reset(); // nothing, where the stream has been ended
        } else if (port != null) {
            port.close();
        }
        session.transferEnds(reply);
    }

    @Override
    public void abort(FtpReply reply) {
        end(reply);
    }
}
