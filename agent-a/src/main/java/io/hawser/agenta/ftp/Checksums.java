package io.hawser.agenta.ftp;

import io.hawser.agenta.download.CopyChecksum;
import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.download.SpoolSource;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.TransferState;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One checksum that a client asked for: of the spool's copy, computed here, or at the far edge. It can take as long as reading the
 * file; ABOR ends it.
 *
 * <p>Thread: the loop.
 */
public final class Checksums implements Transfer {
    /** How often, and how far apart, it is looked whether a file whose copy is gone has arrived. */
    private static final int LOOKS = 8;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final FtpSession session;
    private final FtpPath path;
    private final ChecksumAlgorithm algorithm;
    private final ByteSpan span;
    private final Function<Result, FtpReply> reply;
    private @Nullable Runnable cancel;
    private boolean done;
    private int looks;

    /**
     * What was computed.
     *
     * @param hex the checksum
     * @param from the first byte
     * @param to the byte behind the last one
     */
    public record Result(String hex, long from, long to) {}

    private Checksums(
            FtpSession session,
            FtpPath path,
            ChecksumAlgorithm algorithm,
            ByteSpan span,
            Function<Result, FtpReply> reply) {
        this.session = session;
        this.path = path;
        this.algorithm = algorithm;
        this.span = span;
        this.reply = reply;
    }

    /** Computes it and sends {@code reply} of it, or the refusal, as the answer to the command that runs. */
    public static void compute(
            FtpSession session,
            FtpPath path,
            ChecksumAlgorithm algorithm,
            ByteSpan span,
            Function<Result, FtpReply> reply) {
        new Checksums(session, path, algorithm, span, reply).look();
    }

    private void look() {
        session.server().paths().find(path, session.account(), PathLookup.orReply(session, this::found));
    }

    private void found(PathLookup.Found found) {
        TransferState own = found.own();
        long size = found.facts().sizeBytes();
        if (found.facts().directory()) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "Is a directory");
        } else if (span.from() > size || (span.to() != ByteSpan.TO_THE_END && span.to() > size)) {
            session.replyAbout(ReplyCode.ARGUMENT_ERROR, path, "it has only " + size + " bytes");
        } else if (own != null && found.copy() == null && looks++ < LOOKS) {
            var unused = session.later(LOOK_NANOS, this::look);
        } else if (own != null && found.copy() == null) {
            session.replyAbout(
                    ReplyCode.FILE_BUSY, path, "it is on its way to the far end and not kept here; try again later");
        } else {
            session.transferBegins(this);
            start(found, own, size);
        }
    }

    private void start(PathLookup.Found found, @Nullable TransferState own, long size) {
        FtpServer server = session.server();
        long end = span.end(size);
        Outcome.Callback<String> computed = outcome -> computed(outcome, end);
        if (own != null) {
            cancel = CopyChecksum.of(
                    new SpoolSource(server.spool(), server.ownReads(), own),
                    new DownloadWindow.Range(span.from(), end),
                    algorithm,
                    server.checksums(),
                    server.loop(),
                    computed);
            return;
        }
        Namespace.Place place = found.farPlace() != null
                ? found.farPlace()
                : server.namespace().place(path).orElseThrow();
        RemoteFiles.Call call = server.remoteFiles()
                .checksum(
                        place.topic(),
                        place.name(),
                        algorithm,
                        span.from(),
                        span.to() == ByteSpan.TO_THE_END ? -1 : end - span.from(),
                        server.limits().dataStallTime(),
                        computed);
        cancel = call::cancel;
    }

    private void computed(Outcome<String> outcome, long end) {
        Refusal refusal = outcome.refusal();
        end(
                refusal == null
                        ? reply.apply(new Result(outcome.get(), span.from(), end))
                        : PathLookup.reply(path, refusal));
    }

    private void end(FtpReply answer) {
        if (!done) {
            done = true;
            session.transferEnds(answer);
        }
    }

    @Override
    public void abort(FtpReply answer) {
        if (!done && cancel != null) {
            cancel.run();
        }
        end(answer);
    }
}
