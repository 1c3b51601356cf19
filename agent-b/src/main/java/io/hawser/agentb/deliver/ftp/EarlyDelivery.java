package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.TransferKey;
import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Uploads the beginning of an object that is still arriving, as a temporary file. When the object is complete, {@link ObjectDelivery} moves that
 * file beside its final name and uploads the rest.
 *
 * <p>The file is in the directory of the URL, not beside the final name: the object's directories are made only when it is complete, so that
 * earlier operations can remove or rename them.
 *
 * <p>Thread: a delivering thread.
 */
record EarlyDelivery(Storage storage, FarUpload upload, FarSession session, ArrivingObject object) {
    /** After so long without new bytes the upload ends, so that others can use the connection; it resumes when there are more. */
    static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /** The temporary file of a transfer. */
    static String path(FarSession session, TransferKey key) {
        return session.path(ObjectDelivery.TEMPORARY_PREFIX + key.id());
    }

    /** Uploads until nothing has arrived for {@link #MAX_WAIT}, or soon after {@code stopped}. */
    void run(BooleanSupplier stopped) throws IOException {
        session.checkName(object.manifest().name());
        session.makeDirectories(FarSession.parentOf(path(session, object.key())));
        DeliveryCheckpoint checkpoint = DeliveryCheckpoint.read(storage, object.note());
        checkpoint.markEarly();
        try (ArrivingFile file = new ArrivingFile(storage, object, MAX_WAIT, stopped)) {
            upload.run(session, file, path(session, object.key()), checkpoint);
        }
    }
}
