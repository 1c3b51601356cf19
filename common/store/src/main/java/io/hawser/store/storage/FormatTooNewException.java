package io.hawser.store.storage;

/** A file was written by a later version of Hawser. It is left untouched. */
public final class FormatTooNewException extends StorageException {
    public FormatTooNewException(String message) {
        super(message);
    }

    public FormatTooNewException(String message, Throwable cause) {
        super(message, cause);
    }
}
