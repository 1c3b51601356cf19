package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.RunningCommand;
import io.hawser.agenta.ftp.modee.OffsetMapping;
import io.hawser.agenta.ftp.namespace.NewNameCheck;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.AdvertisedSizes;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.upload.EndEvidence;
import io.hawser.agenta.upload.PatchBaseFinder;
import io.hawser.agenta.upload.ResumeLoader;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.agenta.upload.UploadService;
import io.hawser.agenta.upload.UploadStartPosition;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.store.spool.Upload;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Opens an upload for STOR or APPE: a new one, or one that broke off and continues. An upload continues only for the account and the
 * path that it was begun with, and only at or before its end; bytes that come a second time are compared by the spool.
 *
 * <p>Thread: the loop.
 */
public final class UploadStarter {
    /** It is short: what follows it hears of an abort. */
    private static final RunningCommand LOADING = reply -> {};

    private final FtpSession session;
    private final FtpPath path;
    private final Namespace.Place place;
    private final long announcedBytes;

    private UploadStarter(FtpSession session, FtpPath path, Namespace.Place place, long announcedBytes) {
        this.session = session;
        this.path = path;
        this.place = place;
        this.announcedBytes = announcedBytes;
    }

    /** STOR: a new upload, or with a REST position one that continues from there. */
    public static void store(FtpSession session, String argument) {
        FragmentRanges have = session.settings().takeRestartRanges();
        prepare(session, argument, starter -> starter.begin(have, OptionalLong.empty()));
    }

    /** ESTO A (GFD.20 section 4.2): what comes belongs at {@code offset}, also 0, and after it; what it does not reach stays. */
    public static void storeAt(FtpSession session, long offset, String argument) {
        session.settings().takeSpan();
        prepare(session, argument, starter -> starter.begin(FragmentRanges.of(0, offset), OptionalLong.of(offset)));
    }

    /** The client sends all but {@code have}; what ESTO A adjusted is its position 0. */
    private void begin(FragmentRanges have, OptionalLong adjusted) {
        if (session.settings().extendedBlocks() && session.settings().ascii()) {
            refuse(FtpReply.about(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "MODE E needs TYPE I"));
        } else if (have.isEmpty() && (adjusted.isEmpty() || hasIncomplete())) {
            beginNew(); // compared with what broke off
        } else if (!hasIncomplete()) {
            patch(have, adjusted);
        } else if (session.settings().extendedBlocks()) {
            resumeBlocks(have, adjusted);
        } else {
            resumeStream(OptionalLong.of(have.firstMissing(0)));
        }
    }

    private void patch(FragmentRanges have, OptionalLong adjusted) {
        patch(
                adjusted.isPresent()
                        ? new PatchBaseFinder.Position.Adjusted(adjusted.getAsLong())
                        : new PatchBaseFinder.Position.Restart(have));
    }

    private void patch(PatchBaseFinder.Position position) {
        if (refusesAscii()) {
            return;
        }
        AnswerWait wait = AnswerWait.begin(session, "Waiting until it is known which file the bytes are for");
        PatchBaseFinder search = new PatchBaseFinder(
                session.uploads(),
                session.identity(),
                place,
                position,
                found -> wait.end(() -> beginPatch(found, position instanceof PatchBaseFinder.Position.Restart)),
                () -> wait.end(this::beginNew),
                failure -> wait.end(() -> refuse(FailureReplies.of(path, failure))));
        wait.whenGivenUp(search::cancel);
        search.begin();
    }

    /** In MODE E after REST the client's positions are those in the file; otherwise they are those in the patch. */
    private void beginPatch(PatchBaseFinder.Patch patch, boolean isRestart) {
        boolean blocks = session.settings().extendedBlocks();
        if (isRestart && !patch.places().ranges().isEmpty() && !blocks) {
            refuse(FtpReply.about(ReplyCode.BAD_RESTART_POSITION, path, "REST with gaps needs MODE E"));
            return;
        }
        Outcome<Upload> begun = session.uploads().begin(session.requester(), place, patch);
        if (begun.refusal() != null) {
            refuse(FailureReplies.of(path, begun.refusal()));
        } else if (blocks) {
            OffsetMapping mapping = isRestart ? new OffsetMapping.Gaps(patch.places()) : OffsetMapping.Shifted.SAME;
            ModeEUpload.begin(session, path, begun.get(), mapping, UploadObstacleCheck.notNeeded());
        } else {
            // An ALLO may mean the rest or the whole: it proves nothing.
            StreamModeUpload.begin(
                    session,
                    path,
                    begun.get(),
                    EndEvidence.NOT_ANNOUNCED,
                    UploadStartPosition.BEGINNING,
                    UploadObstacleCheck.notNeeded());
        }
    }

    /** Whether an upload broke off that can continue; one that had hardly begun is as if it had not. */
    private boolean hasIncomplete() {
        return session.uploads().interrupted(session.account(), place).isPresent();
    }

    private boolean refusesAscii() {
        boolean ascii = session.settings().ascii();
        if (ascii) {
            refuse(FtpReply.about(
                    ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "an upload can be continued in TYPE I only"));
        }
        return ascii;
    }

    /** APPE: an upload that broke off continues where it ended. */
    public static void append(FtpSession session, String argument) {
        session.settings().takeSpan();
        if (session.settings().extendedBlocks()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "APPE needs MODE S; in MODE E use REST with ranges.");
            return;
        }
        prepare(session, argument, UploadStarter::append);
    }

    private void append() {
        if (hasIncomplete()) {
            resumeStream(OptionalLong.empty());
        } else {
            patch(new PatchBaseFinder.Position.End());
        }
    }

    private static void prepare(FtpSession session, String argument, Consumer<UploadStarter> prepared) {
        long announced = session.settings().takeAnnounced(); // of this command, also if it is refused
        Optional<FtpPath> path = session.resolve(argument);
        if (path.isEmpty()) {
            return;
        }
        Namespace namespace = session.names().namespace();
        Optional<Namespace.Place> place = namespace.place(path.get());
        if (place.isEmpty()) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path.get(), namespace.whyNowhere(path.get()));
        } else if (path.get().isRoot()
                || place.get().isTopic()
                || argument.endsWith("/")
                || isDirectoryOnItsWay(session, path.get())) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path.get(), "Is a directory");
        } else if (session.dataPaths().hasWayIn()) {
            UploadStarter starter = new UploadStarter(session, path.get(), place.get(), announced);
            starter.unlessDirectory(() -> NewNameCheck.check(
                    session, path.get(), true, ReplyCode.NAME_NOT_ALLOWED, () -> prepared.accept(starter)));
        }
    }

    private static boolean isDirectoryOnItsWay(FtpSession session, FtpPath path) {
        return session.seesNames()
                && session.names()
                        .pending()
                        .findTransferred(path)
                        .map(PathFacts::directory)
                        .orElse(false);
    }

    /**
     * Goes on unless a directory is there that was made through this server. The far end is asked whether it still does, and what is
     * remembered counts only if it is not heard; other names are not asked for, since that would cost each upload a round trip.
     */
    private void unlessDirectory(Runnable free) {
        NamespaceService names = session.names();
        if (!session.seesNames() || !names.created().contains(path)) {
            free.run();
            return;
        }
        AnswerWait wait = AnswerWait.begin(session);
        names.paths()
                .findUnlessAway(
                        path,
                        session.account(),
                        found -> {
                            if (found.facts().directory()) {
                                wait.end(() -> refuse(
                                        FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, RequestFailure.IS_DIRECTORY)));
                            } else {
                                names.created().remove(path);
                                wait.end(free);
                            }
                        },
                        (why, failure) -> {
                            if (why == ErrorCode.NOT_FOUND) {
                                names.created().remove(path);
                            }
                            wait.end(free);
                        });
    }

    private void beginNew() {
        OptionalLong announced =
                announcedBytes == EndEvidence.NOT_ANNOUNCED ? OptionalLong.empty() : OptionalLong.of(announcedBytes);
        Outcome<Upload> begun = session.uploads()
                .begin(session.requester(), place, announced, session.settings().ascii());
        if (begun.refusal() != null) {
            refuse(FailureReplies.of(path, begun.refusal()));
            return;
        }
        UploadObstacleCheck target = UploadObstacleCheck.begin(session.names(), session.identity(), place);
        if (session.settings().extendedBlocks()) {
            ModeEUpload.begin(session, path, begun.get(), OffsetMapping.Shifted.SAME, target);
        } else {
            StreamModeUpload.begin(session, path, begun.get(), announcedBytes, UploadStartPosition.BEGINNING, target);
        }
    }

    /** The client sends all but {@code have}, which therefore has to be here. What ESTO A adjusts need not reach the end of what is here. */
    private void resumeBlocks(FragmentRanges have, OptionalLong adjusted) {
        resume().ifPresent(upload -> {
            if (UploadService.isDurable(upload, have)) {
                long givenEnd = adjusted.isPresent() ? upload.durableEndBytes() : have.end();
                OffsetMapping mapping = new OffsetMapping.Shifted(adjusted.orElse(0), givenEnd);
                ModeEUpload.begin(session, path, upload, mapping, UploadObstacleCheck.notNeeded());
            } else {
                upload.abandon("REST with ranges that are not here");
                refuse(FtpReply.about(
                        ReplyCode.BAD_RESTART_POSITION,
                        path,
                        "not all of these ranges are here; see SIZE for the first gap"));
            }
        });
    }

    /** Continues the upload of this account and path that broke off; empty if the refusal has been sent. */
    private Optional<Upload> resume() {
        if (session.uploads()
                .interrupted(session.account(), place)
                .filter(AdvertisedSizes::isConverted)
                .isPresent()) {
            refuse(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "an upload in TYPE A that broke off cannot be continued; upload the file from its beginning"));
            return Optional.empty();
        }
        Optional<Outcome<Upload>> resumed = session.uploads().resume(session.account(), place);
        if (resumed.isEmpty()) {
            refuse(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "No such file or directory: no upload of this name broke off; use STOR from the beginning"));
            return Optional.empty();
        }
        Refusal refusal = resumed.get().refusal();
        if (refusal != null) {
            refuse(FailureReplies.of(path, refusal));
            return Optional.empty();
        }
        return Optional.of(resumed.get().get());
    }

    private void resumeStream(OptionalLong restart) {
        if (refusesAscii()) {
            return;
        }
        Optional<Upload> resumed = resume();
        if (resumed.isEmpty()) {
            return;
        }
        Upload upload = resumed.get();
        // A client that may not ask sizes was told none, and continues where the upload really ends.
        long end = session.identity().may(Permission.LIST)
                ? AdvertisedSizes.of(upload.resumePositionBytes())
                : upload.resumePositionBytes();
        long position = restart.orElse(end);
        if (position > upload.resumePositionBytes()) {
            upload.abandon("REST beyond its end");
            refuse(FtpReply.about(
                    ReplyCode.BAD_RESTART_POSITION,
                    path,
                    session.seesNames()
                            ? "only " + end + " bytes are here, see SIZE"
                            : "not so many bytes of it are here"));
        } else if (restart.isEmpty() && session.names().advertisedSizes().contradicts(upload.key(), end)) {
            upload.abandon("its size is not the one that was told");
            session.names().advertisedSizes().told(upload.key(), end);
            refuse(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    session.seesNames()
                            ? "the size has changed to " + end + "; ask SIZE again"
                            : "it does not end where it was said to"));
        } else {
            load(upload, position);
        }
    }

    /** Loads the beginning of the fragment in which the upload continues. That is short, so the transfer that follows hears what happens. */
    private void load(Upload upload, long position) {
        session.transferBegins(LOADING);
        new ResumeLoader(
                        session.uploads(),
                        upload,
                        start -> StreamModeUpload.begin(
                                session, path, upload, announcedBytes, start, UploadObstacleCheck.notNeeded()),
                        () -> session.transferEnds(FtpReply.about(
                                ReplyCode.LOCAL_ERROR, path, "what came before cannot be read; upload it again")))
                .load(position);
    }

    private void refuse(FtpReply reply) {
        session.dataPort().close(); // MODE E's connections stay: they are in step with the peer
        session.reply(reply);
    }
}
