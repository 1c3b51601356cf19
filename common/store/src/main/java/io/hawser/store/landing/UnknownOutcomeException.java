package io.hawser.store.landing;

import io.hawser.store.storage.StorageException;

/** A force failed: what is seen may not stay. */
final class UnknownOutcomeException extends StorageException {
    private static final long serialVersionUID = 1;

    UnknownOutcomeException(StorageException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
