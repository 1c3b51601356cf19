package io.hawser.agenta.ftp.download;

import io.hawser.agenta.download.ByteSpan;
import io.hawser.agenta.download.ChecksumQuery;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One checksum that a client asked for, as the answer to the command that runs. ABOR ends it.
 *
 * <p>Thread: the loop.
 */
public final class ChecksumTransfer implements Transfer, ChecksumQuery.Listener {
    private final FtpSession session;
    private final FtpPath path;
    private final Function<ChecksumQuery.Result, FtpReply> reply;
    private final AnswerWait wait;
    private @Nullable ChecksumQuery checksum;
    private boolean done;

    private ChecksumTransfer(FtpSession session, FtpPath path, Function<ChecksumQuery.Result, FtpReply> reply) {
        this.session = session;
        this.path = path;
        this.reply = reply;
        this.wait = AnswerWait.begin(session);
        wait.whenGivenUp(this::cancel);
    }

    /** Computes it and sends {@code reply} of it, or the refusal. */
    public static void compute(
            FtpSession session,
            FtpPath path,
            ChecksumAlgorithm algorithm,
            ByteSpan span,
            Function<ChecksumQuery.Result, FtpReply> reply) {
        ChecksumTransfer transfer = new ChecksumTransfer(session, path, reply);
        transfer.checksum =
                ChecksumQuery.begin(session.downloads(), path, session.account(), algorithm, span, transfer);
    }

    @Override
    public void begins() {
        wait.end(() -> {});
        session.transferBegins(this);
    }

    @Override
    public void computed(ChecksumQuery.Result result) {
        end(reply.apply(result));
    }

    @Override
    public void outside(long sizeBytes) {
        end(FtpReply.about(ReplyCode.ARGUMENT_ERROR, path, "it has only " + sizeBytes + " bytes"));
    }

    @Override
    public void refused(RequestFailure failure) {
        end(FailureReplies.of(path, failure));
    }

    private void end(FtpReply answer) {
        if (!done) {
            done = true;
            wait.end(() -> {});
            session.transferEnds(answer);
        }
    }

    private void cancel() {
        done = true;
        if (checksum != null) {
            checksum.cancel();
        }
    }

    @Override
    public void abort(FtpReply answer) {
        if (!done) {
            cancel();
            session.transferEnds(answer);
        }
    }
}
