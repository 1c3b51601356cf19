package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.modee.BlockPlaces;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferState;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Opens an upload for STOR or APPE: a new one, or one that broke off and goes on. An upload goes on only for the account and the
 * path that it was begun with, and only at or before its end; bytes that come a second time are compared by the spool.
 *
 * <p>Thread: the loop.
 */
public final class UploadOpening {
    private final FtpSession session;
    private final FtpPath path;
    private final Namespace.Place place;
    private final long announcedBytes;

    private UploadOpening(FtpSession session, FtpPath path, Namespace.Place place) {
        this.session = session;
        this.path = path;
        this.place = place;
        this.announcedBytes = session.settings().takeAnnounced();
    }

    /** STOR: a new upload, or with a REST position one that goes on from there. */
    public static void store(FtpSession session, String argument) {
        FragmentRanges have = session.settings().takeRestartRanges();
        prepare(session, argument, opening -> opening.begin(have, OptionalLong.empty()));
    }

    /** ESTO A (GFD.20 section 4.2): what comes belongs at {@code offset}, also 0, and behind it; what it does not reach stays. */
    public static void storeAt(FtpSession session, long offset, String argument) {
        session.settings().takeRestartRanges();
        prepare(session, argument, opening -> opening.begin(FragmentRanges.of(0, offset), OptionalLong.of(offset)));
    }

    /** The client sends all but {@code have}; what ESTO A adjusted is its position 0. */
    private void begin(FragmentRanges have, OptionalLong adjusted) {
        if (session.settings().extendedBlocks() && session.settings().ascii()) {
            refuse(FtpReply.about(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "MODE E needs TYPE I"));
        } else if (have.isEmpty() && (adjusted.isEmpty() || hasIncomplete())) {
            beginNew(); // instead of what broke off
        } else if (!hasIncomplete()) {
            patch(have, adjusted);
        } else if (session.settings().extendedBlocks()) {
            goOnWithBlocks(have, adjusted.orElse(0));
        } else {
            goOn(OptionalLong.of(have.firstMissing(0)));
        }
    }

    private void patch(FragmentRanges have, OptionalLong adjusted) {
        if (refusesAscii()) {
            return;
        }
        PatchOpening.Position position = adjusted.isPresent()
                ? new PatchOpening.Position.Adjusted(adjusted.getAsLong())
                : new PatchOpening.Position.Restart(have);
        PatchOpening.open(session, path, place, position, this::beginNew);
    }

    /** Whether an upload broke off that can go on; one that had hardly begun is as if it had not. */
    private boolean hasIncomplete() {
        Spool spool = session.server().spool();
        return spool.findIncomplete(session.account(), place.topic(), place.name())
                .filter(state -> ToldSizes.of(spool, state).isPresent())
                .isPresent();
    }

    private boolean refusesAscii() {
        boolean ascii = session.settings().ascii();
        if (ascii) {
            refuse(FtpReply.about(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, path, "an upload goes on in TYPE I only"));
        }
        return ascii;
    }

    /** APPE: an upload that broke off goes on where it ended. */
    public static void append(FtpSession session, String argument) {
        session.settings().takeRestartPosition();
        if (session.settings().extendedBlocks()) {
            session.reply(ReplyCode.BAD_SEQUENCE, "APPE needs MODE S; in MODE E use REST with ranges.");
            return;
        }
        prepare(session, argument, UploadOpening::append);
    }

    private void append() {
        if (hasIncomplete()) {
            goOn(OptionalLong.empty());
        } else if (!refusesAscii()) {
            PatchOpening.open(session, path, place, new PatchOpening.Position.End(), this::beginNew);
        }
    }

    private static void prepare(FtpSession session, String argument, Consumer<UploadOpening> prepared) {
        Optional<FtpPath> path = session.resolve(argument);
        if (path.isEmpty()) {
            return;
        }
        Namespace namespace = session.server().namespace();
        Optional<Namespace.Place> place = namespace.place(path.get());
        if (place.isEmpty()) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path.get(), namespace.whyNowhere(path.get()));
        } else if (path.get().isRoot()
                || place.get().isTopic()
                || argument.endsWith("/")
                || isDirectoryOnItsWay(session, path.get())) {
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path.get(), "Is a directory");
        } else if (session.dataPaths().hasWayIn()) {
            UploadOpening opening = new UploadOpening(session, path.get(), place.get());
            opening.unlessDirectory(() -> NewName.check(
                    session, path.get(), true, ReplyCode.NAME_NOT_ALLOWED, () -> prepared.accept(opening)));
        }
    }

    private static boolean isDirectoryOnItsWay(FtpSession session, FtpPath path) {
        return session.seesNames()
                && session.server()
                        .heldNames()
                        .findTransferred(path)
                        .map(HeldNames.Entry::directory)
                        .orElse(false);
    }

    /**
     * Goes on unless a directory stands there that was made through this server. The far edge is asked whether it still does, and what is
     * remembered counts only if it is not heard; other names are not asked for, since that would cost each upload a round trip.
     */
    private void unlessDirectory(Runnable free) {
        FtpServer server = session.server();
        if (!session.seesNames() || !server.knownDirectories().contains(path)) {
            free.run();
            return;
        }
        AnswerWait wait = AnswerWait.begin(session);
        server.paths().findUnlessAway(path, session.account(), new PathLookup.Listener() {
            @Override
            public void found(PathLookup.Found found) {
                if (found.facts().directory()) {
                    wait.end(() -> refuse(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, "Is a directory")));
                } else {
                    server.knownDirectories().remove(path);
                    wait.end(free);
                }
            }

            @Override
            public void missing(ErrorCode why, FtpReply reply) {
                if (why == ErrorCode.NOT_FOUND) {
                    server.knownDirectories().remove(path);
                }
                wait.end(free);
            }
        });
    }

    /** What the spool is asked for: the upload's order among others of its path is decided now. */
    private void beginNew() {
        boolean announced = announcedBytes != EndEvidence.NOT_ANNOUNCED;
        Optional<Refusal> noRoom = announced ? session.server().spool().refusalFor(announcedBytes) : Optional.empty();
        if (noRoom.isPresent()) {
            refuse(Refusals.reply(path, noRoom.get()));
            return;
        }
        UploadRequest request = new UploadRequest(
                place.topic(),
                TransferKind.FILE,
                place.name(),
                List.of(place.name()),
                Manifest.UNKNOWN_SIZE,
                session.server().pool().payloadCapacity(),
                Map.of(Attributes.ACCOUNT, session.account()));
        Outcome<Upload> begun = session.server().spool().begin(session.gsi().passedOn(request));
        if (begun.refusal() == null && announced) {
            reserve(begun.get());
        }
        if (begun.refusal() != null) {
            refuse(Refusals.reply(path, begun.refusal()));
        } else if (session.settings().extendedBlocks()) {
            BlockUpload.begin(session, path, begun.get(), BlockPlaces.Shifted.SAME, TargetLook.begin(session, place));
        } else {
            UploadTransfer.begin(
                    session,
                    path,
                    begun.get(),
                    announcedBytes,
                    UploadTransfer.UploadStart.BEGINNING,
                    TargetLook.begin(session, place));
        }
    }

    /** What ALLO announced is kept for this upload: it need not wait for space in its middle. */
    private void reserve(Upload upload) {
        int fragmentBytes = upload.manifest().fragmentSizeBytes();
        boolean unused = upload.reserve((int) ((announcedBytes + fragmentBytes - 1) / fragmentBytes));
    }

    /** The client sends all but {@code have}, which therefore has to be here. */
    private void goOnWithBlocks(FragmentRanges have, long baseBytes) {
        resume().ifPresent(upload -> {
            if (isDurable(upload, have)) {
                BlockUpload.begin(session, path, upload, new BlockPlaces.Shifted(baseBytes), TargetLook.notNeeded());
            } else {
                upload.abandon("REST with ranges that are not here");
                refuse(FtpReply.about(
                        ReplyCode.BAD_RESTART_POSITION,
                        path,
                        "not all of these ranges are here; see SIZE for the first gap"));
            }
        });
    }

    private static boolean isDurable(Upload upload, FragmentRanges ranges) {
        FragmentRanges full = upload.durableFragments();
        int size = upload.manifest().fragmentSizeBytes();
        for (FragmentRange range : ranges.runs()) {
            long gap = full.firstMissing(range.start() / size);
            long end = gap * size + upload.durableLength(gap);
            if (end < range.end()) {
                return false;
            }
        }
        return true;
    }

    /** Goes on with the upload of this account and path that broke off; empty if the refusal has been sent. */
    private Optional<Upload> resume() {
        Spool spool = session.server().spool();
        Optional<TransferState> incomplete = spool.findIncomplete(session.account(), place.topic(), place.name());
        if (incomplete.isEmpty()) {
            refuse(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "No such file or directory: no upload of this name broke off; use STOR from the beginning"));
            return Optional.empty();
        }
        Outcome<Upload> resumed = spool.resume(incomplete.get().key());
        if (resumed.refusal() != null) {
            refuse(Refusals.reply(path, resumed.refusal()));
            return Optional.empty();
        }
        return Optional.of(resumed.get());
    }

    private void goOn(OptionalLong restart) {
        if (refusesAscii()) {
            return;
        }
        Optional<Upload> resumed = resume();
        if (resumed.isEmpty()) {
            return;
        }
        Upload upload = resumed.get();
        // Who may not ask sizes was told none, and goes on where it really ends.
        long end = session.identity().may(Permission.LIST)
                ? ToldSizes.of(upload.resumePositionBytes())
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
        } else if (restart.isEmpty() && session.server().toldSizes().contradicts(upload.key(), end)) {
            upload.abandon("its size is not the one that was told");
            session.server().toldSizes().told(upload.key(), end);
            refuse(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    session.seesNames()
                            ? "the size has changed to " + end + "; ask SIZE again"
                            : "it does not end where it was said to"));
        } else {
            new UploadLoading(session, path, upload, announcedBytes).begin(position);
        }
    }

    private void refuse(FtpReply reply) {
        session.dataPort().close(); // MODE E's connections stay: they are in step with the peer
        session.reply(reply);
    }
}
