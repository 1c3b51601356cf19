package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.TransferKey;
import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Uploads the beginning of an object whose rest is still coming in, under a name that nobody looks for. When the object is complete,
 * {@link ObjectDelivery} brings that file beside its final name and uploads the rest.
 *
 * <p>The file lies in the directory of the URL, not beside the final name: the directories on the way to that one are not made before the
 * object is complete, and none of them is kept from being removed or renamed by operations whose turn comes before the object's.
 *
 * <p>Thread: the target's.
 */
final class EarlyDelivery {
    /** When so long nothing more has come, the connection is given to others and the upload begins again when there is more. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Storage storage;
    private final Upload upload;
    private final FarSession session;
    private final ArrivingObject object;

    EarlyDelivery(Storage storage, Upload upload, FarSession session, ArrivingObject object) {
        this.storage = storage;
        this.upload = upload;
        this.session = session;
        this.object = object;
    }

    /** Where the beginning of a transfer is uploaded to. */
    static String path(FarSession session, TransferKey key) {
        return session.path(ObjectDelivery.TEMPORARY_PREFIX + key.id());
    }

    /** Returns when nothing more has come for a while, or soon after {@code stopped}. */
    void run(BooleanSupplier stopped) throws IOException {
        session.checkName(object.manifest().name());
        session.makeDirectories(FarSession.parentOf(path(session, object.key())));
        DeliveryNote note = DeliveryNote.read(storage, object.note());
        note.early();
        try (ArrivingFile file = new ArrivingFile(storage, object, PATIENCE, stopped)) {
            upload.run(session, file, path(session, object.key()), note);
        }
    }

    /** Removes what was uploaded of a transfer that was given up. */
    static void undo(FarSession session, TransferKey key) throws IOException {
        String path = path(session, key);
        if (session.sizeOf(path) != FarSession.MISSING) {
            try {
                session.delete(path);
            } catch (FarRefusedException e) {
                if (session.isThere(path)) {
                    throw e;
                }
            }
        }
    }
}
