package io.hawser.store.storage;

/** A file that was to be opened, moved or deleted is not there. */
public final class PathMissingException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public PathMissingException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public PathMissingException(String message, Throwable cause) {
        super(message, cause);
    }
}
