package io.hawser.store.storage;

/** Another process, or another part of this one, holds the data directory. */
public final class DirectoryInUseException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public DirectoryInUseException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public DirectoryInUseException(String message, Throwable cause) {
        super(message, cause);
    }
}
