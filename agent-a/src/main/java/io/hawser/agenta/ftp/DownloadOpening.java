package io.hawser.agenta.ftp;

import io.hawser.agenta.download.BlockSource;
import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.download.InitialReadAhead;
import io.hawser.agenta.download.RemoteSource;
import io.hawser.agenta.download.SpoolSource;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.spool.TransferState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a download reads: the spool's copy of what is on its way, otherwise the file at the far edge.
 *
 * <p>Thread: the loop.
 */
public final class DownloadOpening {
    /** How often, and how far apart, it is looked whether a file whose copy is gone has arrived. */
    private static final int LOOKS = 8;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final FtpSession session;
    private final FtpPath path;
    /** What is wanted of it, whatever its size. */
    private final ByteSpan wanted;

    private int looks;
    private boolean answered;
    private @Nullable InitialReadAhead ahead;
    /** The version of which it is. */
    private String aheadOf = "";

    private DownloadOpening(FtpSession session, FtpPath path, ByteSpan wanted) {
        this.session = session;
        this.path = path;
        this.wanted = wanted;
    }

    /** RETR: from the position of the last REST, or the range of the last RANG; in MODE E without the ranges of the last REST. */
    public static void retrieve(FtpSession session, String argument) {
        FragmentRanges have = session.settings().restartRanges();
        ByteSpan span = session.settings().takeSpan();
        retrieve(session, argument, span, have, 0);
    }

    /** ERET P: {@code length} bytes from {@code offset} on; in MODE E the client counts them from 0. */
    public static void retrievePart(FtpSession session, long offset, long length, String argument) {
        session.settings().takeSpan();
        retrieve(session, argument, new ByteSpan(offset, offset + length), FragmentRanges.of(0, offset), offset);
    }

    private static void retrieve(
            FtpSession session, String argument, ByteSpan span, FragmentRanges have, long baseBytes) {
        Optional<FtpPath> resolved = session.resolve(argument);
        long first = session.settings().extendedBlocks() ? have.firstMissing(0) : span.from();
        ByteSpan wanted = new ByteSpan(first, span.to());
        resolved.ifPresent(path -> new DownloadOpening(session, path, wanted).look(source -> {
            long size = source.sizeBytes();
            if (span.from() > size) {
                session.replyAbout(ReplyCode.BAD_RESTART_POSITION, path, "it has only " + size + " bytes");
            } else if (span.from() > 0 && session.settings().ascii()) {
                session.replyAbout(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "a download goes on in TYPE I only");
            } else if (session.settings().extendedBlocks()) {
                sendBlocks(session, path, source, without(have, span.end(size)), baseBytes);
            } else if (session.dataPort().isOpen()) {
                DownloadTransfer.begin(session, path, source, new DownloadWindow.Range(span.from(), span.end(size)));
            }
        }));
    }

    private static List<DownloadWindow.Range> without(FragmentRanges have, long end) {
        FragmentRanges wanted = FragmentRanges.of(0, end);
        have.runs().forEach(run -> wanted.remove(run.start(), run.end()));
        return wanted.runs().stream()
                .map(run -> new DownloadWindow.Range(run.start(), run.end()))
                .toList();
    }

    private static void sendBlocks(
            FtpSession session, FtpPath path, BlockSource source, List<DownloadWindow.Range> ranges, long baseBytes) {
        if (session.settings().ascii()) {
            session.replyAbout(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "MODE E needs TYPE I");
        } else if (session.dataPaths().hasWayOut()) {
            BlockDownload.begin(session, path, source, ranges, baseBytes);
        }
    }

    /** Opens the file; where there is none that can be read, the refusal is sent as the answer to the command that runs. */
    private void look(Consumer<BlockSource> opened) {
        PathLookup paths = session.server().paths();
        Optional<RemoteFile> told = looks == 0 ? paths.told(path) : Optional.empty();
        AnswerWait wait = AnswerWait.begin(session, this::dropHeadStart);
        answered = false;
        paths.findAnew(path, session.account(), new PathLookup.Listener() {
            @Override
            public void found(PathLookup.Found answer) {
                answered = true;
                wait.end(() -> DownloadOpening.this.found(answer, opened));
                dropHeadStart();
            }

            @Override
            public void missing(ErrorCode why, FtpReply reply) {
                answered = true;
                wait.end(() -> session.reply(reply));
                dropHeadStart();
            }
        });
        if (!answered) { // the look leaves first, so that it does not come back behind the blocks
            told.ifPresent(this::beginAhead);
        }
    }

    private void beginAhead(RemoteFile version) {
        Namespace.Place place = session.server().namespace().place(path).orElseThrow();
        long size = version.sizeBytes();
        aheadOf = version.fingerprint();
        ahead = InitialReadAhead.begin(
                remote(version, place),
                session.server().loop(),
                Math.min(wanted.from(), size),
                Math.min(wanted.end(size), size));
    }

    /** If it is being read, it stays. */
    private void dropHeadStart() {
        if (ahead != null) {
            ahead.end();
            ahead = null;
        }
    }

    private void found(PathLookup.Found found, Consumer<BlockSource> opened) {
        TransferState own = found.copy();
        RemoteFile remote = found.remote();
        if (found.facts().directory()) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "Is a directory");
        } else if (own != null) {
            opened.accept(
                    new SpoolSource(session.server().spool(), session.server().ownReads(), own));
        } else if (remote != null && found.farPlace() != null) {
            opened.accept(sourceOf(remote, found.farPlace()));
        } else if (looks++ < LOOKS) {
            var unused = session.later(LOOK_NANOS, () -> look(opened));
        } else {
            session.replyAbout(
                    ReplyCode.FILE_BUSY, path, "it is on its way to the far end and not kept here; try again later");
        }
    }

    private BlockSource sourceOf(RemoteFile found, Namespace.Place place) {
        InitialReadAhead begun = ahead;
        return begun != null && aheadOf.equals(found.fingerprint()) ? begun : remote(found, place);
    }

    private RemoteSource remote(RemoteFile version, Namespace.Place place) {
        FtpServer server = session.server();
        return new RemoteSource(
                server.remoteFiles(),
                server.farReads(),
                place.topic(),
                place.name(),
                server.namespace().place(path).orElseThrow().name(),
                version,
                server.fragmentSizeBytes(),
                server.limits().dataStallTime());
    }
}
