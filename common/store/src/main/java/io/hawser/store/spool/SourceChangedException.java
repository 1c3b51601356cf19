package io.hawser.store.spool;

import io.hawser.store.storage.StorageException;

/** A file that is read in place is no longer the version that the transfer is bound to. */
final class SourceChangedException extends StorageException {
    private static final long serialVersionUID = 1;

    SourceChangedException(String message) {
        super(message);
    }
}
