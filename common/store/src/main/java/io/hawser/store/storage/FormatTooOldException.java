package io.hawser.store.storage;

/** A file was written by a version of Hawser that this one no longer reads. It is left untouched. */
public final class FormatTooOldException extends StorageException {
    public FormatTooOldException(String message) {
        super(message);
    }
}
