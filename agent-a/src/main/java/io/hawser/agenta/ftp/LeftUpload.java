package io.hawser.agenta.ftp;

import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.TransferKind;
import io.hawser.common.spool.SpoolPhase;
import io.hawser.common.spool.Upload;
import java.util.concurrent.TimeUnit;

/**
 * An upload that ended before it was complete: what came is kept in the spool, and the client is told when that is durable.
 *
 * <p>Thread: the loop.
 */
final class LeftUpload {
    private static final long LOOK_MILLIS = 5;
    private static final int LOOKS = 400;

    private final FtpSession session;
    private final Upload upload;

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
        replyWhenLeft(reply, LOOKS);
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
                            "the bytes differ from those of the upload that broke off; upload the file from its beginning"),
                    LOOKS);
        } else {
            session.transferEnds(Refusals.reply(path, refusal));
        }
    }

    /** A client that goes on at once after the reply must find what it left, so that has to be durable before the reply. */
    private void replyWhenLeft(FtpReply reply, int looks) {
        boolean leaving = session.server()
                .spool()
                .state(upload.key())
                .filter(left -> left.phase() == SpoolPhase.RECEIVING)
                .isPresent();
        if (leaving && looks > 0) {
            var unused = session.server()
                    .loop()
                    .schedule(() -> replyWhenLeft(reply, looks - 1), LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            session.transferEnds(reply);
        }
    }
}
