package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers one object. Every step may run again; none repeats what an earlier attempt did.
 *
 * <pre>
 *   [noted "renaming", and no temporary file?] ──yes──► done
 *        │ no: remove such a note (durable)
 *   directories ─► upload .hawser-ID ─► size, checksum ─► time ─► note "renaming" (durable) ─► RNFR, RNTO ─► done
 *                  │
 *                  └ resumes what EarlyDelivery has uploaded, after moving it beside the final name
 * </pre>
 *
 * <p>Thread: a delivering thread.
 */
final class ObjectDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectDelivery.class);
    static final String TEMPORARY_PREFIX = ".hawser-";

    private final Storage storage;
    private final FarUpload upload;
    private final FarSession session;
    private final VerifiedObject object;
    private final AtomicBoolean mayBeDone;
    private final String finalPath;
    private final @Nullable FarPatch patch;
    private final String temporaryPath;

    /** @param mayBeDone whether an operation may have been applied; this attempt keeps it true to the facts */
    ObjectDelivery(
            Storage storage,
            FarUpload upload,
            StallWatchdog watch,
            FarSession session,
            VerifiedObject object,
            AtomicBoolean mayBeDone) {
        this.mayBeDone = mayBeDone;
        this.storage = storage;
        this.upload = upload;
        this.session = session;
        this.object = object;
        this.finalPath = session.path(object.manifest().name());
        this.temporaryPath = temporaryPath(session, object);
        this.patch = object.manifest().kind() == TransferKind.PATCH
                ? new FarPatch(storage, watch, session, object, finalPath)
                : null;
    }

    static String temporaryPath(FarSession session, VerifiedObject object) {
        String parent = FarSession.parentOf(session.path(object.manifest().name()));
        return parent + "/" + TEMPORARY_PREFIX + object.key().id();
    }

    /** Returns when the object is at its final name. */
    void run() throws IOException {
        session.checkName(object.manifest().name());
        if (!object.manifest().kind().hasBytes()) {
            new FarOperations(session).run(object, mayBeDone);
            return;
        }
        DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(storage, object.note());
        if (checkpoint.isRenaming()) {
            if (!temporaryExists()) {
                removeCopies();
                return;
            }
            checkpoint.clearRenaming(); // before anything may remove the file, which would then count as renamed
        }
        boolean renameAsked = checkpoint.wasRenameAsked();
        session.makeDirectories(FarSession.parentOf(finalPath));
        moveEarlyFile(checkpoint);
        try (LandedFile file = content(renameAsked)) {
            upload.run(session, file, temporaryPath, checkpoint);
            verify(file);
        }
        keepTime();
        FarPatch change = patch;
        if (change != null) {
            change.keepMode(temporaryPath);
            if (!renameAsked) { // otherwise the base may have been deleted for the rename
                checkBase(change);
            }
        }
        checkpoint.markRenaming(); // before the rename, since a crash would leave open whether it was made
        session.replace(temporaryPath, finalPath);
        removeCopies();
    }

    private void checkBase(FarPatch change) throws IOException {
        try {
            change.checkBase();
        } catch (PermanentFailureException e) {
            session.delete(temporaryPath);
            throw e;
        }
    }

    private LandedFile content(boolean renameAsked) throws IOException {
        FarPatch change = patch;
        if (change == null) {
            return LandedFile.open(storage, object.file(), object.commit().sizeBytes());
        }
        try {
            return LandedFile.open(storage, change.merged(renameAsked), change.mergedBytes());
        } catch (PermanentFailureException e) {
            removeTemporary();
            throw e;
        }
    }

    /** Removes what an earlier attempt may have uploaded. */
    private void removeTemporary() throws IOException {
        if (session.sizeOf(temporaryPath) == FarSession.MISSING) {
            return;
        }
        try {
            session.delete(temporaryPath);
        } catch (FarRefusedException e) {
            LOG.atDebug()
                    .setCause(e)
                    .log("no temporary file to remove, or the far server keeps it"); // some servers give no sizes
        }
    }

    private void removeCopies() throws IOException {
        if (patch != null) {
            FarPatch.removeCopies(storage, object);
        }
    }

    /** Moves the early upload beside the final name; if the server cannot (another disk), removes it, and all is uploaded anew. */
    private void moveEarlyFile(DeliveryCheckpoint checkpoint) throws IOException {
        String early = EarlyDelivery.path(session, object.key());
        if (checkpoint.isEarly() && !early.equals(temporaryPath)) {
            try {
                session.rename(early, temporaryPath);
            } catch (FarRefusedException e) {
                if (!e.isPermanent()) {
                    throw e;
                }
                session.deleteIfThere(early); // usually it is missing: an earlier attempt moved it
            }
        }
        checkpoint.clearEarly();
    }

    private boolean temporaryExists() throws IOException {
        if (session.sizeOf(temporaryPath) >= 0) {
            return true;
        }
        if (session.sizeOf(finalPath) == object.commit().sizeBytes()) {
            return false;
        }
        boolean exists = session.exists(temporaryPath); // some servers give no sizes
        if (!exists) {
            LOG.atInfo()
                    .addKeyValue("transfer", object.key())
                    .log(
                            "the far server had renamed the file before the crash, and the file was removed or replaced since");
        }
        return exists;
    }

    private void verify(LandedFile file) throws IOException {
        long size = session.sizeOf(temporaryPath);
        if (size != FarSession.UNKNOWN && size != file.sizeBytes()) {
            deleteForRestart(size >= 0);
            throw new SessionIntactException("the far server has " + (size < 0 ? "no file" : size + " bytes")
                    + " after an upload of " + file.sizeBytes() + " bytes");
        }
        Checksum checksum = Checksum.offeredBy(session.client());
        if (checksum == null) {
            return;
        }
        String expected = file.digest(checksum.algorithm());
        String found = checksum.ask(session.client(), temporaryPath, file.sizeBytes(), expected.length());
        if (found != null && !found.equals(expected)) {
            deleteForRestart(true);
            throw new SessionIntactException("the far server's " + checksum.algorithm() + " of the upload is " + found
                    + ", not " + expected + "; uploading it again from the beginning");
        }
    }

    private void deleteForRestart(boolean exists) throws IOException {
        if (exists) {
            session.delete(temporaryPath);
        }
    }

    private void keepTime() throws IOException {
        @Nullable String modified = object.manifest().attributes().get(Attributes.MODIFIED_MILLIS);
        if (modified != null && modified.matches("[0-9]{1,15}")) {
            FarTimeCommands.setModified(session.client(), temporaryPath, Long.parseLong(modified));
        }
    }
}
