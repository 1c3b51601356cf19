package io.hawser.agenta.ftp.download;

import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.download.SourceSearch;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.FragmentRanges;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens downloads for RETR and ERET: finds the source, checks the range, and begins the transfer in the mode that is in force.
 *
 * <p>Thread: the loop.
 */
public final class DownloadStarter {
    private DownloadStarter() {}

    /** RETR: from the position of the last REST, or the range of the last RANG; in MODE E without the ranges of the last REST. */
    public static void retrieve(FtpSession session, String argument) {
        FragmentRanges have = session.settings().restartRanges();
        RequestedRange span = session.settings().takeSpan();
        retrieve(session, argument, span, have, 0);
    }

    /** ERET P: {@code length} bytes from {@code offset} on; in MODE E the client counts them from 0. */
    public static void retrievePart(FtpSession session, long offset, long length, String argument) {
        session.settings().takeSpan();
        retrieve(session, argument, new RequestedRange(offset, offset + length), FragmentRanges.of(0, offset), offset);
    }

    private static void retrieve(
            FtpSession session, String argument, RequestedRange span, FragmentRanges have, long baseBytes) {
        Optional<FtpPath> resolved = session.resolve(argument);
        boolean blocks = session.settings().extendedBlocks();
        long first = blocks ? have.firstMissing(0) : span.from();
        RequestedRange wanted = new RequestedRange(first, span.to());
        resolved.ifPresent(path -> find(session, path, wanted, source -> {
            long size = source.sizeBytes();
            if (span.from() > size) {
                session.replyAbout(ReplyCode.BAD_RESTART_POSITION, path, "it has only " + size + " bytes");
            } else if (span.from() > 0 && session.settings().ascii()) {
                session.replyAbout(
                        ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "a download can be continued in TYPE I only");
            } else if (blocks && session.settings().ascii()) {
                session.replyAbout(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "MODE E needs TYPE I");
            } else if (session.dataPaths().hasWayOut()) {
                long end = span.end(size);
                FileContent.send(
                        session,
                        path,
                        source,
                        blocks ? without(have, end) : List.of(new DownloadWindow.Range(span.from(), end)),
                        baseBytes);
            }
        }));
    }

    /** Finds what is at {@code path} for the command that runs, and replies if that cannot be. {@code wanted} is read ahead. */
    static void find(FtpSession session, FtpPath path, RequestedRange wanted, Consumer<VersionedSource> found) {
        AnswerWait wait = AnswerWait.begin(session);
        SourceSearch search = new SourceSearch(
                session.downloads(),
                path,
                session.account(),
                wanted,
                (source, facts) -> wait.end(() -> found.accept(source)),
                failure -> wait.end(() -> session.reply(FailureReplies.of(path, failure))));
        wait.whenGivenUp(search::cancel);
        search.begin();
    }

    private static List<DownloadWindow.Range> without(FragmentRanges have, long end) {
        FragmentRanges wanted = FragmentRanges.of(0, end);
        have.runs().forEach(run -> wanted.remove(run.start(), run.end()));
        return wanted.runs().stream()
                .map(run -> new DownloadWindow.Range(run.start(), run.end()))
                .toList();
    }
}
