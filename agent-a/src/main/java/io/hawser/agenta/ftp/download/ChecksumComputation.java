package io.hawser.agenta.ftp.download;

import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.RunningCommand;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.function.BiFunction;

/**
 * Computes the checksum that an FTP command asked for and sends it as the reply. ABOR ends it.
 *
 * <p>Thread: the loop.
 */
public final class ChecksumComputation implements RunningCommand {
    private static final RequestedRange NOTHING = new RequestedRange(0, 0);

    private final FtpSession session;
    private Runnable cancelCall = () -> {};
    private boolean done;

    private ChecksumComputation(FtpSession session) {
        this.session = session;
    }

    /** Computes it and sends {@code reply} of its hex digits and the bytes that it is of, or the refusal. */
    public static void compute(
            FtpSession session,
            FtpPath path,
            ChecksumAlgorithm algorithm,
            RequestedRange span,
            BiFunction<String, RequestedRange, FtpReply> reply) {
        DownloadStarter.find(session, path, NOTHING, source -> {
            long size = source.sizeBytes();
            if (span.from() > size || (span.to() != RequestedRange.TO_THE_END && span.to() > size)) {
                session.replyAbout(ReplyCode.ARGUMENT_ERROR, path, "it has only " + size + " bytes");
            } else {
                new ChecksumComputation(session).begin(path, source, algorithm, span, reply);
            }
        });
    }

    private void begin(
            FtpPath path,
            VersionedSource source,
            ChecksumAlgorithm algorithm,
            RequestedRange span,
            BiFunction<String, RequestedRange, FtpReply> reply) {
        session.transferBegins(this);
        cancelCall = session.downloads().checksum(source, span, algorithm, outcome -> {
            Refusal refusal = outcome.refusal();
            end(
                    refusal == null
                            ? reply.apply(outcome.get(), new RequestedRange(span.from(), span.end(source.sizeBytes())))
                            : FailureReplies.of(path, RequestFailure.ofQuestion(refusal)));
        });
    }

    private void end(FtpReply answer) {
        if (!done) {
            done = true;
            session.transferEnds(answer);
        }
    }

    @Override
    public void abort(FtpReply answer) {
        if (!done) {
            cancelCall.run();
            end(answer);
        }
    }
}
