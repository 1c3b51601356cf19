package io.hawser.store.storage;

/** A file was written by a version of Hawser that this one no longer reads. It is left untouched. */
public final class FormatTooOldException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public FormatTooOldException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public FormatTooOldException(String message, Throwable cause) {
        super(message, cause);
    }
}
