package io.hawser.store.storage;

/** A file was written by a later version of Hawser. It is left untouched. */
public final class FormatTooNewException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public FormatTooNewException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public FormatTooNewException(String message, Throwable cause) {
        super(message, cause);
    }
}
