package io.hawser.store.storage;

/** The disk or the file system's quota is full. */
public final class OutOfSpaceException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public OutOfSpaceException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public OutOfSpaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
