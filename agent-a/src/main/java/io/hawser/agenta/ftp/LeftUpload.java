package io.hawser.agenta.ftp;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferState;
import io.hawser.store.spool.Upload;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An upload that ended before it was complete: what came is kept in the spool, and the client is told when that is durable.
 *
 * <p>Thread: the loop.
 */
final class LeftUpload {
    /** A disk that takes longer is no reason to keep a client waiting that has failed anyway. */
    private static final long PATIENCE_MILLIS = 2000;

    private final FtpSession session;
    private final Upload upload;
    private Runnable observed = () -> {};
    private @Nullable ScheduledFuture<?> deadline;
    private boolean replied;

    LeftUpload(FtpSession session, Upload upload) {
        this.session = session;
        this.upload = upload;
    }

    /** Leaves it and then ends the transfer with {@code reply}. */
    void leave(String reason, FtpReply reply) {
        if (upload.manifest().kind() == TransferKind.PATCH) {
            upload.cancel(reason); // the next one begins from what the file is then
        } else {
            upload.abandon(reason);
        }
        replyWhenLeft(reply);
    }

    /** The spool refused bytes. What differs from what came before is no reason to drop the latter. */
    void refused(FtpPath path, Refusal refusal) {
        if (refusal.code() == ErrorCode.DIGEST_MISMATCH) {
            if (upload.manifest().kind() == TransferKind.PATCH) {
                upload.cancel("bytes differ from those that came before");
            } else {
                upload.abandonDifferent("bytes differ from those that came before");
            }
            replyWhenLeft(
                    FtpReply.about(
                            ReplyCode.FILE_UNAVAILABLE,
                            path,
                            "bytes came that differ from those that came before at the same place; upload the file from its beginning"));
        } else {
            session.transferEnds(Refusals.reply(path, refusal));
        }
    }

    /** A client that goes on at once after the reply must find what it left, so that has to be durable before the reply. */
    private void replyWhenLeft(FtpReply reply) {
        if (session.server()
                .spool()
                .state(upload.key())
                .filter(LeftUpload::isLeaving)
                .isEmpty()) {
            session.transferEnds(reply);
            return;
        }
        deadline = session.server().loop().schedule(() -> end(reply), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        observed = session.server().spool().observe(upload.key(), state -> {
            if (!isLeaving(state)) {
                end(reply);
            }
        });
    }

    private static boolean isLeaving(TransferState state) {
        return state.phase() == SpoolPhase.RECEIVING;
    }

    private void end(FtpReply reply) {
        if (!replied) {
            replied = true;
            observed.run();
            if (deadline != null) {
                deadline.cancel(false);
            }
            session.transferEnds(reply);
        }
    }
}
