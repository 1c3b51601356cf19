package io.hawser.agenta.upload;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathState;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.PatchRanges;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Finds which file of the far end an upload from the middle is a patch of: as file servers do, what is before its bytes stays, and so
 * does what is after them. The far end refuses the patch if the file has changed by then.
 *
 * <p>The search waits for what is on its way to that path from here. If that is an upload of a whole file and does not arrive soon, the
 * patch queues after it (Order by path): its digest is known here and says which file the patch is for. Of a file that is itself a
 * patch's result no digest is known here, and while another upload of it comes in, the result is not known; then the path is busy.
 *
 * <p>Thread: the loop.
 */
public final class PatchBaseFinder {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    /** The part of the wait after which the patch queues, if it can. */
    private static final int QUEUE_PART = 5;

    private final UploadService uploads;
    private final NamespaceService names;
    private final Account account;
    private final Place place;
    private final Position position;
    private final Consumer<Patch> patched;
    private final Runnable newFile;
    private final Consumer<RequestFailure> refused;
    private final long maxLooks;
    private int looks;
    private boolean asked;
    private boolean over;

    /** Where the bytes that come belong. */
    public sealed interface Position {
        /** At the file's end. */
        record End() implements Position {}

        /** All but {@code have}, which the file has. */
        record Restart(FragmentRanges have) implements Position {}

        /** At {@code offset}, wherever that is. */
        record Adjusted(long offset) implements Position {}
    }

    /**
     * What was found.
     *
     * @param places where the bytes belong in the file
     * @param base attributes that say which file it is
     */
    public record Patch(PatchRanges places, Map<String, String> base) {}

    /**
     * A search that has not begun; one of the three callbacks is called, once.
     *
     * @param newFile there is no file: the bytes are a new one
     */
    public PatchBaseFinder(
            UploadService uploads,
            Account account,
            Place place,
            Position position,
            Consumer<Patch> patched,
            Runnable newFile,
            Consumer<RequestFailure> refused) {
        this.uploads = uploads;
        this.names = uploads.names();
        this.account = account;
        this.place = place;
        this.position = position;
        this.patched = patched;
        this.newFile = newFile;
        this.refused = refused;
        this.maxLooks = names.options().farLookTime().dividedBy(BETWEEN_LOOKS);
    }

    /** Begins. The answer may come inside the call. */
    public void begin() {
        look();
    }

    /** The answer is no longer wanted. */
    public void cancel() {
        over = true;
    }

    private void look() {
        if (over) {
            return;
        }
        if (names.pending().stateAt(place) instanceof PathState.Held held && held.isDirectory()) {
            refuseAsItIsThere(new RequestFailure(Reason.BAD_NAME, RequestFailure.IS_DIRECTORY));
        } else if (isBusy()) {
            askWhetherPartsAreTaken();
            await();
        } else {
            names.askTheFarEnd(place.topic(), place.name(), outcome -> {
                if (!over && isBusy()) {
                    await(); // another upload was quicker: what was said of the file will not hold
                } else if (!over) {
                    told(outcome);
                }
            });
        }
    }

    /** Whether what the far end has is not what it will have when the patch comes. */
    private boolean isBusy() {
        return !names.spool().touching(place.topic(), place.name()).isEmpty()
                || PendingBase.isComingIn(names.spool(), place);
    }

    /** A file on its way is known here, but not whether its destination can replace a part of it. */
    private void askWhetherPartsAreTaken() {
        if (!asked && !names.isAway(place.topic())) {
            asked = true;
            names.askTheFarEnd(place.topic(), place.name(), outcome -> {
                Refusal refusal = outcome.refusal();
                if (refusal != null && RequestFailure.isOfApplication(refusal)) {
                    refuse(wholeFilesOnly(refusal));
                }
            });
        }
    }

    private void await() {
        boolean soon = looks < maxLooks / QUEUE_PART && !names.isAway(place.topic());
        Optional<Commit> queued = soon || over ? Optional.empty() : PendingBase.at(names, place);
        if (queued.isPresent()) {
            ontoQueued(queued.get());
        } else if (looks++ < maxLooks) {
            var unused = uploads.loop().schedule(this::look, BETWEEN_LOOKS.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            refuse(busy()); // what the far end will have then is not known in time
        }
    }

    private RequestFailure busy() {
        if (!account.seesNames()) {
            return RequestFailure.busy("it cannot be continued now; try again later");
        }
        return RequestFailure.busy(
                PendingBase.isComingIn(names.spool(), place)
                        ? "another upload of it is under way; try again later"
                        : "an earlier upload or change of it is on its way; try again later");
    }

    private void ontoQueued(Commit base) {
        onto(
                base.sizeBytes(),
                Map.of(
                        Attributes.BASE_SIZE,
                        Long.toString(base.sizeBytes()),
                        Attributes.BASE_DIGEST,
                        base.digest().toString()));
    }

    private void told(Outcome<RemoteFile> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            onto(outcome.get());
        } else if (refusal.code() == ErrorCode.NOT_FOUND) {
            ontoNothing();
        } else if (refusal.code() == ErrorCode.UNREACHABLE) {
            refuse(RequestFailure.onlyTheFarEndKnows(refusal));
        } else if (RequestFailure.isOfApplication(refusal)) {
            refuse(wholeFilesOnly(refusal));
        } else if (tellsWhatIsThere(refusal)) {
            refuseAsItIsThere(RequestFailure.ofQuestion(refusal));
        } else {
            refuse(RequestFailure.of(refusal));
        }
    }

    private static boolean tellsWhatIsThere(Refusal refusal) {
        return switch (refusal.code()) {
            case NOT_DIRECTORY, IS_DIRECTORY, NOT_ALLOWED -> true;
            default -> false;
        };
    }

    private static RequestFailure wholeFilesOnly(Refusal ofApplication) {
        return new RequestFailure(Reason.NOT_CONTINUABLE, ofApplication.detail());
    }

    private void ontoNothing() {
        if (position instanceof Position.Adjusted adjusted && adjusted.offset() > 0) {
            makeFile(adjusted.offset());
        } else if (position instanceof Position.Restart) {
            refuseAsItIsThere(new RequestFailure(
                    Reason.NOT_CONTINUABLE, RequestFailure.NO_SUCH_FILE + ": no upload of this name broke off"));
        } else if (!over) {
            over = true;
            newFile.run();
        }
    }

    private void onto(RemoteFile base) {
        if (base.isDirectory()) {
            refuseAsItIsThere(new RequestFailure(Reason.BAD_NAME, RequestFailure.IS_DIRECTORY));
        } else if (base.isLink()) {
            refuseAsItIsThere(RequestFailure.conflict(RemoteFiles.NOT_WRITTEN_THROUGH));
        } else if (!base.takesPatches()) {
            refuseAsItIsThere(new RequestFailure(Reason.NOT_CONTINUABLE, "the far end takes whole files only"));
        } else {
            onto(
                    base.sizeBytes(),
                    Map.of(
                            Attributes.BASE_SIZE,
                            Long.toString(base.sizeBytes()),
                            Attributes.BASE_FINGERPRINT,
                            base.fingerprint(),
                            Attributes.MODE,
                            Integer.toOctalString(base.mode() & 0777)));
        }
    }

    private void onto(long sizeBytes, Map<String, String> base) {
        if (position instanceof Position.Adjusted adjusted) {
            found(PatchRanges.from(adjusted.offset()), base);
        } else if (!(position instanceof Position.Restart restart)) {
            found(PatchRanges.from(sizeBytes), base);
        } else if (restart.have().end() > sizeBytes) {
            refuseAsItIsThere(new RequestFailure(Reason.AFTER_THE_END, "only " + sizeBytes + " bytes are there"));
        } else {
            PatchRanges.around(restart.have())
                    .ifPresentOrElse(
                            places -> found(places, base),
                            () -> refuse(new RequestFailure(
                                    Reason.BAD_POSITION,
                                    "at most " + PatchRanges.MAX_RANGES
                                            + " gaps in a complete file are filled at a time")));
        }
    }

    /**
     * Refuses for what is there, or is not. An account that may not know that is told nothing: its bytes are taken as STOR takes them, and
     * the far end refuses them when they arrive. At a REST position it is told the same in all cases.
     */
    private void refuseAsItIsThere(RequestFailure failure) {
        if (account.seesNames()) {
            refuse(failure);
        } else if (position instanceof Position.Restart) {
            refuse(new RequestFailure(
                    Reason.NOT_CONTINUABLE, RequestFailure.PERMISSION_DENIED + ": it cannot be continued there"));
        } else {
            makeFile(position instanceof Position.Adjusted adjusted ? adjusted.offset() : 0);
        }
    }

    /** The bytes are a new file from {@code offset} on; the far end takes them only if nothing is there. */
    private void makeFile(long offset) {
        found(PatchRanges.from(offset), Map.of(Attributes.BASE_SIZE, Attributes.NO_BASE));
    }

    private void found(PatchRanges places, Map<String, String> base) {
        if (!over) {
            over = true;
            patched.accept(new Patch(places, base));
        }
    }

    private void refuse(RequestFailure failure) {
        if (!over) {
            over = true;
            refused.accept(failure);
        }
    }
}
