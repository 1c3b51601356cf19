package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.data.DataChannel;
import io.hawser.agenta.ftp.data.DataOpening;
import io.hawser.agenta.ftp.data.DataOutput;
import io.hawser.agenta.ftp.session.DataPort;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.NameEncoding;
import io.hawser.core.ftp.ReplyCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Iterator;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends a listing, a piece at a time as the client takes it. Its lines end with CR LF in every type; nothing is converted (lftp
 * lists in TYPE A and would see CR CR LF).
 *
 * <p>Thread: the loop.
 */
public final class ListingTransfer implements Transfer, DataOutput.Flow {
    private static final int PIECE_BYTES = 16 << 10;

    private final FtpSession session;
    private final Iterator<String> lines;
    private final String summary;
    private @Nullable DataOpening port;
    private @Nullable DataOutput output;
    private @Nullable ScheduledFuture<?> stallWatch;
    private boolean progress;
    private boolean finishing;
    private boolean done;

    private ListingTransfer(FtpSession session, Iterator<String> lines, String summary) {
        this.session = session;
        this.summary = summary;
        this.lines = lines;
    }

    /** Sends {@code lines} over the data connection that was prepared, as the answer to the command that runs, and {@code summary} after them. */
    public static void send(FtpSession session, Iterator<String> lines, String summary) {
        if (session.settings().extendedBlocks()) {
            BlockListing.send(session, lines, summary);
        } else if (session.dataPort().isOpen()) {
            ListingTransfer transfer = new ListingTransfer(session, lines, summary);
            session.transferBegins(transfer);
            session.preliminary(ReplyCode.STARTING, "Here comes the listing.");
            transfer.port = session.dataPort().take(transfer::connected, transfer::failed);
        }
    }

    private void connected(DataChannel channel) {
        if (done) {
            channel.close();
            return;
        }
        output = channel.output(this);
        watchForStall();
        writable();
    }

    private void watchForStall() {
        stallWatch = session.later(session.limits().times().dataStall().toNanos(), () -> {
            if (!progress) {
                end(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "Nothing was read from the data connection for too long."));
            } else {
                progress = false;
                watchForStall();
            }
        });
    }

    @Override
    public void writable() {
        while (!done && output != null && output.isWritable() && lines.hasNext()) {
            output.write(nextPiece());
        }
        if (!done && output != null && !lines.hasNext() && !finishing) {
            finishing = true;
            output.finish(cause -> end(
                    cause == null
                            ? FtpReply.of(ReplyCode.TRANSFER_COMPLETE, summary)
                            : FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The data connection broke.")));
        }
    }

    private ByteBuf nextPiece() {
        ByteBuf piece = Unpooled.buffer(PIECE_BYTES);
        while (lines.hasNext() && piece.readableBytes() < PIECE_BYTES) {
            piece.writeBytes(NameEncoding.encode(lines.next())).writeByte('\r').writeByte('\n');
        }
        return piece;
    }

    @Override
    public void progressed() {
        progress = true;
    }

    @Override
    public void broken(Throwable cause) {
        end(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The data connection broke."));
    }

    private void failed(Throwable cause) {
        end(DataPort.noConnection(cause));
    }

    private void end(FtpReply reply) {
        if (!done) {
            done = true;
            if (stallWatch != null) {
                stallWatch.cancel(false);
            }
            if (output != null) {
                output.reset();
            } else if (port != null) {
                port.close();
            }
            session.transferEnds(reply);
        }
    }

    @Override
    public void abort(FtpReply reply) {
        end(reply);
    }
}
