package io.hawser.store.storage;

/** A file that was to be opened, moved or deleted is not there. */
public final class PathMissingException extends StorageException {
    public PathMissingException(String message) {
        super(message);
    }

    public PathMissingException(String message, Throwable cause) {
        super(message, cause);
    }
}
