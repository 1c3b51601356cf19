package io.hawser.agenta.ftp;

import io.hawser.agenta.data.DataChannel;
import io.hawser.agenta.data.DataOpening;
import io.hawser.common.ftp.NameEncoding;
import io.hawser.common.ftp.ReplyCode;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Sends a listing. Its lines end with CR LF in every type; nothing is converted (lftp lists in TYPE A and would see CR CR LF).
 *
 * <p>Thread: the loop.
 */
public final class ListingTransfer implements Transfer {
    private final FtpSession session;
    private final String text;
    private @Nullable DataOpening port;
    private @Nullable DataChannel data;
    private boolean done;

    private ListingTransfer(FtpSession session, String text) {
        this.session = session;
        this.text = text;
    }

    /** Sends {@code text} over the data connection that PASV or EPSV prepared, as the answer to the command that runs. */
    public static void send(FtpSession session, String text) {
        if (session.dataPort().isOpen()) {
            ListingTransfer transfer = new ListingTransfer(session, text);
            session.transferBegins(transfer);
            session.preliminary(FtpReply.of(ReplyCode.STARTING, "Here comes the listing."));
            transfer.port = session.dataPort().take(transfer::connected, cause -> transfer.failed());
        }
    }

    private void connected(DataChannel channel) {
        if (done) {
            channel.close();
            return;
        }
        data = channel;
        channel.send(Unpooled.wrappedBuffer(NameEncoding.encode(text)), cause -> {
            if (cause == null) {
                end(FtpReply.of(ReplyCode.TRANSFER_COMPLETE, "Listing sent."));
            } else {
                end(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The data connection broke."));
            }
        });
    }

    private void failed() {
        end(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "No data connection was opened."));
    }

    private void end(FtpReply reply) {
        if (!done) {
            done = true;
            if (data != null) {
                data.close();
            } else if (port != null) {
                port.close();
            }
            session.transferEnds(reply);
        }
    }

    @Override
    public void commandArrived() {}

    @Override
    public void controlClosed() {
        end(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "The control connection ended."));
    }

    @Override
    public void abort(FtpReply reply) {
        end(reply);
    }
}
