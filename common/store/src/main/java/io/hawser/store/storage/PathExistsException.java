package io.hawser.store.storage;

/** A file or link was to be made at a name that exists. Nothing was changed. */
public final class PathExistsException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public PathExistsException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public PathExistsException(String message, Throwable cause) {
        super(message, cause);
    }
}
