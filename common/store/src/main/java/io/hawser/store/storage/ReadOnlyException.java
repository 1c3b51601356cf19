package io.hawser.store.storage;

/** The file system takes no writes: it was mounted so, or the kernel turned it read-only after an error of its disk. */
public final class ReadOnlyException extends StorageException {
    private static final long serialVersionUID = 1;

    public ReadOnlyException(String message, Throwable cause) {
        super(message, cause);
    }
}
