package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Asks for spool space for one upload of unknown size, and waits when there is none. That of an upload of known size was
 * reserved when it began; for another it is asked step by step, and waited for when there is none.
 *
 * <p>Thread: the loop.
 */
final class UploadSpace {
    static final Refusal FULL = new Refusal(ErrorCode.NO_SPACE, "The spool is full. Try again later");

    private final UploadContext context;
    private final DiskUpload upload;
    private final SpoolTransfer transfer;
    private int fragmentsWanted = 1;
    private Outcome.@Nullable Callback<Upload> waiter;

    UploadSpace(UploadContext context, DiskUpload upload) {
        this.context = context;
        this.upload = upload;
        this.transfer = upload.transfer();
    }

    /** Whether there is space for so many fragments that were not written yet, see {@link Upload#reserve}. */
    boolean reserve(int fragments) {
        fragmentsWanted = fragments;
        return reserveBytes((long) fragments * transfer.manifest().fragmentSizeBytes());
    }

    /** The same for a number of bytes. */
    boolean reserveBytes(long bytes) {
        return transfer.manifest().sizeKnown()
                || transfer.reservedBytes() >= bytes
                || context.space().reserve(transfer, bytes - transfer.reservedBytes()) == null;
    }

    /** Calls back when what was asked for last may be there, see {@link Upload#whenSpace}. */
    void whenSpace(Outcome.Callback<Upload> done) {
        waiter = done;
        long needed = transfer.heldBytes()
                + (long) fragmentsWanted * transfer.manifest().fragmentSizeBytes();
        Refusal never = context.space().refusalForEver(needed);
        if (never != null) {
            context.mailbox().post(() -> upload.fail(never));
            return;
        }
        transfer.setWaitsForSpace(true);
        context.space().add(this);
    }

    /** The upload ends: fails the callbacks that wait for space. */
    void leave() {
        leave(FULL);
    }

    /** The same with a reason. */
    void leave(Refusal why) {
        Outcome.Callback<Upload> waiting = waiter;
        waiter = null;
        transfer.setWaitsForSpace(false);
        if (waiting != null) {
            context.space().remove(this);
            context.mailbox().post(() -> waiting.accept(Outcome.refused(why)));
        }
    }

    /** Its place in time: the publisher's number. */
    long number() {
        return transfer.manifest().number();
    }

    /** Tries to take the space that it needs; true if it got it and resumes. */
    boolean tryToResume() {
        Outcome.Callback<Upload> waiting = waiter;
        if (waiting != null && !reserve(fragmentsWanted)) {
            return false;
        }
        waiter = null;
        transfer.setWaitsForSpace(false);
        if (waiting != null) {
            context.mailbox().post(() -> waiting.accept(Outcome.of(upload)));
        }
        return true;
    }

    /** There is none: the upload is ended. */
    void endForSpace() {
        upload.fail(new Refusal(
                ErrorCode.NO_SPACE,
                "The spool is full and nothing made room for a while, and of the uploads without a known size this"
                        + " is the youngest. Try again later"));
    }
}
