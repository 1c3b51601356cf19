package io.hawser.common.landing;

import io.hawser.common.storage.StorageException;

/** A force failed: what is seen may not stay. */
final class UnsureException extends StorageException {
    private static final long serialVersionUID = 1;

    UnsureException(StorageException cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
