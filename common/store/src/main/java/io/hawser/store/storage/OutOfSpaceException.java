package io.hawser.store.storage;

/** The disk or the file system's quota is full. */
public final class OutOfSpaceException extends StorageException {
    public OutOfSpaceException(String message) {
        super(message);
    }

    public OutOfSpaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
