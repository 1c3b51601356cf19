package io.hawser.store.storage;

/** A file or link was to be made at a name that exists. Nothing was changed. */
public final class PathExistsException extends StorageException {
    public PathExistsException(String message) {
        super(message);
    }

    public PathExistsException(String message, Throwable cause) {
        super(message, cause);
    }
}
