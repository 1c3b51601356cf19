package io.hawser.agenta.ftp;

import io.hawser.agenta.modee.BlockPlaces;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.PatchRanges;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * APPE, ESTO A, and STOR behind REST, on a file that the far end has: the bytes are a patch of exactly that file. As FTP servers do,
 * what is before them stays, and so does what is behind them. The far end refuses if the file has changed by then.
 *
 * <p>What is on its way to that path from here is waited for. If that is an upload of a whole file and does not arrive soon, the patch
 * queues behind it (Order by path): its digest is known here and says which file the patch is for. Of a file that is itself a
 * patch's result no digest is known here, and while another upload of it comes in, it is not known what that makes of it; then the
 * reply is 450. ABOR ends the wait.
 *
 * <p>Thread: the loop.
 */
final class PatchOpening implements Transfer {
    /** How long the far end may be away that has to say what it has. */
    private static final Duration AWAY = Duration.ofSeconds(5);
    /** How far apart it is looked whether what is on its way has arrived. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    /** The part of the wait after which it is no longer waited for, if the patch can queue behind it. */
    private static final int QUEUE_PART = 5;

    private final FtpSession session;
    private final FtpPath path;
    private final Namespace.Place place;
    private final Position position;
    private final Runnable beginNew;
    private final long maxLooks;
    private int looks;
    private boolean asked;
    private boolean decided;

    private PatchOpening(
            FtpSession session, FtpPath path, Namespace.Place place, Position position, Runnable beginNew) {
        this.session = session;
        this.path = path;
        this.place = place;
        this.position = position;
        this.beginNew = beginNew;
        this.maxLooks = session.server().limits().farLookTime().dividedBy(BETWEEN_LOOKS);
    }

    /** Where the bytes belong that come. */
    sealed interface Position {
        /** APPE: at the file's end. */
        record End() implements Position {}

        /** REST: all but {@code have}, which the file has; in MODE E blocks tell positions in the file. */
        record Restart(FragmentRanges have) implements Position {}

        /** ESTO A: at {@code offset}, wherever that is; in MODE E blocks tell positions behind it. */
        record Adjusted(long offset) implements Position {}
    }

    /**
     * Opens it, or refuses.
     *
     * @param beginNew begins a new file: what APPE does where there is none
     */
    static void open(FtpSession session, FtpPath path, Namespace.Place place, Position position, Runnable beginNew) {
        PatchOpening opening = new PatchOpening(session, path, place, position, beginNew);
        session.waitBegins(opening);
        opening.look();
    }

    @Override
    public Optional<String> progress() {
        return Optional.of("Waiting until it is known which file the bytes are for");
    }

    @Override
    public void abort(FtpReply reply) {
        if (decide()) {
            refuse(reply);
        }
    }

    /** Whether this is the first decision, and somebody wants it. */
    private boolean decide() {
        if (decided) {
            return false;
        }
        decided = true;
        session.waitEnds();
        return session.isOpen();
    }

    private void look() {
        if (decided) {
            return;
        }
        FtpServer server = session.server();
        if (isBusy()) {
            askWhetherPartsAreTaken();
            await();
        } else {
            server.remoteFiles().stat(place.topic(), place.name(), patience(), outcome -> {
                if (!decided && isBusy()) {
                    await(); // another session was quicker: what was said of the file will not hold
                } else if (decide()) {
                    told(outcome);
                }
            });
        }
    }

    private CallTimeouts patience() {
        return new CallTimeouts(AWAY, session.server().limits().farLookTime());
    }

    /** Whether what the far end has is not what it will have when the patch comes. */
    private boolean isBusy() {
        return !session.server().spool().touching(place.topic(), place.name()).isEmpty()
                || PendingBase.isComingIn(session.server().spool(), place);
    }

    /** A file on its way is known here, but not whether its destination can replace a part of it; it has the time of the wait to say so. */
    private void askWhetherPartsAreTaken() {
        FtpServer server = session.server();
        if (!asked && !server.isAway(place.topic())) {
            asked = true;
            server.remoteFiles().stat(place.topic(), place.name(), patience(), outcome -> {
                Refusal refusal = outcome.refusal();
                if (refusal != null && Refusals.isOfApplication(refusal) && decide()) {
                    refuse(wholeOnly(refusal));
                }
            });
        }
    }

    private void await() {
        FtpServer server = session.server();
        boolean soon = looks < maxLooks / QUEUE_PART && !server.isAway(place.topic());
        Optional<Commit> queued = soon ? Optional.empty() : PendingBase.at(server, place);
        if (queued.isPresent()) {
            if (decide()) {
                ontoQueued(queued.get());
            }
        } else if (looks++ < maxLooks) {
            var unused = session.later(BETWEEN_LOOKS.toNanos(), this::look);
        } else if (decide()) {
            // What the far end will have then is not known in time.
            refuse(busy());
        }
    }

    private FtpReply busy() {
        String why = !session.seesNames()
                ? "it cannot be gone on with now; try again later"
                : PendingBase.isComingIn(session.server().spool(), place)
                        ? "another upload of it is under way; try again later"
                        : "an earlier upload or change of it is on its way; try again later";
        return FtpReply.about(ReplyCode.FILE_BUSY, path, why);
    }

    private void ontoQueued(Commit base) {
        if (!isBehindTheEnd(base.sizeBytes())) {
            places(base.sizeBytes())
                    .ifPresent(places -> begin(
                            places,
                            Map.of(
                                    Attributes.BASE_SIZE,
                                    Long.toString(base.sizeBytes()),
                                    Attributes.BASE_DIGEST,
                                    base.digest().toString())));
        }
    }

    /** Whether REST names a position that the file does not have; then the refusal has been sent. */
    private boolean isBehindTheEnd(long size) {
        boolean behind =
                position instanceof Position.Restart restart && restart.have().end() > size;
        if (behind) {
            refuseAsItIsThere(FtpReply.about(
                    ReplyCode.BAD_RESTART_POSITION, path, "only " + size + " bytes are there, see SIZE"));
        }
        return behind;
    }

    private void told(Outcome<RemoteFile> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            onto(outcome.get());
        } else if (refusal.code() == ErrorCode.NOT_FOUND) {
            ontoNothing();
        } else if (refusal.code() == ErrorCode.UNREACHABLE) {
            refuse(Refusals.itAloneKnows(path, refusal));
        } else if (Refusals.isOfApplication(refusal)) {
            refuse(wholeOnly(refusal));
        } else {
            refuse(Refusals.reply(path, refusal));
        }
    }

    private FtpReply wholeOnly(Refusal ofApplication) {
        return FtpReply.about(
                ReplyCode.FILE_UNAVAILABLE, path, ofApplication.detail() + "; use STOR from the beginning");
    }

    private void ontoNothing() {
        if (position instanceof Position.Adjusted adjusted && adjusted.offset() > 0) {
            begin(PatchRanges.from(adjusted.offset()), Map.of(Attributes.BASE_SIZE, Attributes.NO_BASE));
        } else if (!(position instanceof Position.Restart)) {
            beginNew.run();
        } else {
            refuseAsItIsThere(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "No such file or directory: no upload of this name broke off; use STOR from the beginning"));
        }
    }

    private void onto(RemoteFile base) {
        long size = base.sizeBytes();
        if (base.isDirectory()) {
            refuseAsItIsThere(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, path, "Is a directory"));
        } else if (base.isLink()) {
            refuseAsItIsThere(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path, RemoteFiles.NOT_WRITTEN_THROUGH));
        } else if (!base.takesPatches()) {
            refuseAsItIsThere(FtpReply.about(
                    ReplyCode.FILE_UNAVAILABLE,
                    path,
                    "the far end takes whole files only; use STOR from the beginning"));
        } else if (!isBehindTheEnd(size)) {
            places(size)
                    .ifPresent(places -> begin(
                            places,
                            Map.of(
                                    Attributes.BASE_SIZE,
                                    Long.toString(size),
                                    Attributes.BASE_FINGERPRINT,
                                    base.fingerprint(),
                                    Attributes.MODE,
                                    Integer.toOctalString(base.mode() & 0777))));
        }
    }

    /** Refuses for what is there, or is not; an account that may not know that is told the same in all cases. */
    private void refuseAsItIsThere(FtpReply reply) {
        refuse(
                session.seesNames()
                        ? reply
                        : FtpReply.about(
                                ReplyCode.FILE_UNAVAILABLE,
                                path,
                                "Permission denied: it cannot be gone on with there; use STOR from the beginning"));
    }

    /** Where the bytes belong; empty if the refusal has been sent. */
    private Optional<PatchRanges> places(long baseSize) {
        if (!(position instanceof Position.Restart restart)) {
            return Optional.of(
                    PatchRanges.from(position instanceof Position.Adjusted adjusted ? adjusted.offset() : baseSize));
        }
        Optional<PatchRanges> gaps = PatchRanges.around(restart.have());
        if (gaps.isEmpty()) {
            refuse(FtpReply.about(
                    ReplyCode.BAD_RESTART_POSITION,
                    path,
                    "at most " + PatchRanges.MAX_RANGES + " gaps in a complete file are filled at a time"));
        } else if (!gaps.get().ranges().isEmpty() && !session.settings().extendedBlocks()) {
            refuse(FtpReply.about(ReplyCode.BAD_RESTART_POSITION, path, "REST with gaps needs MODE E"));
            return Optional.empty();
        }
        return gaps;
    }

    private void begin(PatchRanges places, Map<String, String> base) {
        Map<String, String> attributes = new HashMap<>(base);
        attributes.put(Attributes.ACCOUNT, session.account());
        attributes.put(Attributes.OFFSET, places.text());
        UploadRequest request = new UploadRequest(
                place.topic(),
                TransferKind.PATCH,
                place.name(),
                List.of(place.name()),
                Manifest.UNKNOWN_SIZE,
                session.server().pool().payloadCapacity(),
                attributes);
        Outcome<Upload> begun = session.server().spool().begin(session.gsi().passedOn(request));
        Refusal refusal = begun.refusal();
        if (refusal != null) {
            refuse(Refusals.reply(path, refusal));
        } else if (session.settings().extendedBlocks()) {
            BlockUpload.begin(
                    session,
                    path,
                    begun.get(),
                    position instanceof Position.Restart ? new BlockPlaces.Gaps(places) : BlockPlaces.Shifted.SAME,
                    TargetLook.notNeeded());
        } else {
            // An ALLO may mean the rest or the whole: it proves nothing.
            UploadTransfer.begin(
                    session,
                    path,
                    begun.get(),
                    EndEvidence.NOT_ANNOUNCED,
                    UploadTransfer.UploadStart.BEGINNING,
                    TargetLook.notNeeded());
        }
    }

    private void refuse(FtpReply reply) {
        session.dataPort().close();
        session.reply(reply);
    }
}
