package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one object to its final name. Every step can be made again, and what an earlier attempt did is not done twice.
 *
 * <pre>
 *   [marked and the temporary name gone?] ──yes──► done
 *        │ no: if it is marked, the mark is taken away (durable)
 *   directories ─► upload .hawser-ID ─► size, checksum ─► time ─► mark (durable) ─► RNFR, RNTO ─► done
 *                  │
 *                  └ on what EarlyDelivery has uploaded, brought beside the final name first
 * </pre>
 *
 * <p>Thread: the target's.
 */
final class ObjectDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectDelivery.class);
    /** What the names of temporary files begin with. */
    static final String TEMPORARY_PREFIX = ".hawser-";

    private final Storage storage;
    private final Upload upload;
    private final FarSession session;
    private final VerifiedObject object;
    private final boolean again;
    private final String finalPath;
    private final @Nullable FarPatch patch;
    private final String temporaryPath;

    /** @param again whether nobody knows how far an earlier attempt came */
    ObjectDelivery(
            Storage storage,
            Upload upload,
            StallWatchdog watch,
            FarSession session,
            VerifiedObject object,
            boolean again) {
        this.again = again;
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

    /** Returns when the object is there under its final name. */
    void run() throws IOException {
        session.checkName(object.manifest().name());
        if (!object.manifest().kind().hasBytes()) {
            new FarOperations(session).run(object, again);
            return;
        }
        DeliveryNote note = DeliveryNote.read(storage, object.note());
        if (note.isRenaming()) {
            if (!temporaryIsThere()) {
                tidy();
                return;
            }
            note.notRenamed(); // before anything may remove it: it would count as renamed then
        }
        boolean asked = note.wasAsked();
        session.makeDirectories(FarSession.parentOf(finalPath));
        bringBeside(note);
        try (LandedFile file = bytes(asked)) {
            upload.run(session, file, temporaryPath, note);
            verify(file);
        }
        keepTime();
        FarPatch change = patch;
        if (change != null) {
            change.keepMode(temporaryPath);
            if (!asked) { // else the old file may have been deleted already, to make room for the new one
                checkBase(change);
            }
        }
        note.renaming(); // before the rename: afterwards nobody could tell whether it was made
        session.replace(temporaryPath, finalPath);
        tidy();
    }

    private void checkBase(FarPatch change) throws IOException {
        try {
            change.checkBase();
        } catch (PermanentFailureException e) {
            session.delete(temporaryPath);
            throw e;
        }
    }

    private LandedFile bytes(boolean asked) throws IOException {
        FarPatch change = patch;
        if (change == null) {
            return LandedFile.open(storage, object.file(), object.commit().sizeBytes());
        }
        try {
            return LandedFile.open(storage, change.merged(asked), change.mergedBytes());
        } catch (PermanentFailureException e) {
            removeTemporary();
            throw e;
        }
    }

    /** An earlier attempt may have uploaded some of it. */
    private void removeTemporary() throws IOException {
        if (session.sizeOf(temporaryPath) == FarSession.MISSING) {
            return;
        }
        try {
            session.delete(temporaryPath);
        } catch (FarRefusedException e) {
            LOG.atDebug().setCause(e).log("there is no temporary file, or it stays"); // some servers hide sizes
        }
    }

    private void tidy() throws IOException {
        if (patch != null) {
            FarPatch.tidy(storage, object);
        }
    }

    /** What was uploaded while the object came in; if it cannot be brought here (another disk), all is uploaded anew. */
    private void bringBeside(DeliveryNote note) throws IOException {
        String early = EarlyDelivery.path(session, object.key());
        if (note.isEarly() && !early.equals(temporaryPath)) {
            try {
                session.rename(early, temporaryPath);
            } catch (FarRefusedException e) {
                if (!e.isPermanent()) {
                    throw e;
                }
                EarlyDelivery.undo(session, object.key()); // mostly it is gone: an earlier attempt brought it here
            }
        }
        note.beside();
    }

    private boolean temporaryIsThere() throws IOException {
        if (session.sizeOf(temporaryPath) >= 0) {
            return true;
        }
        if (session.sizeOf(finalPath) == object.commit().sizeBytes()) {
            return false;
        }
        boolean there = session.isThere(temporaryPath); // some servers hide sizes
        if (!there) {
            LOG.atInfo()
                    .addKeyValue("transfer", object.key())
                    .log(
                            "the file was renamed at the far server before the crash, and was taken away or replaced since");
        }
        return there;
    }

    private void verify(LandedFile file) throws IOException {
        long size = session.sizeOf(temporaryPath);
        if (size != FarSession.UNKNOWN && size != file.sizeBytes()) {
            startAgain(size >= 0);
            throw new ContentMismatchException("the far server has " + (size < 0 ? "no file" : size + " bytes")
                    + " after an upload of " + file.sizeBytes() + " bytes");
        }
        Checksum checksum = Checksum.offeredBy(session.client());
        if (checksum == null) {
            return;
        }
        String expected = file.digest(checksum.algorithm());
        String found = checksum.ask(session.client(), temporaryPath, file.sizeBytes(), expected.length());
        if (found != null && !found.equals(expected)) {
            startAgain(true);
            throw new ContentMismatchException("the far server's " + checksum.algorithm() + " of the upload is " + found
                    + ", not " + expected + "; it is uploaded again from the beginning");
        }
    }

    private void startAgain(boolean isThere) throws IOException {
        if (isThere) {
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
