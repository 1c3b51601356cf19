package io.hawser.store.storage;

import java.io.IOException;

/** A disk did not do what it was asked, or what it holds cannot be used. The subclasses say what a caller can act upon. */
public class StorageException extends IOException {
    /** Creates the exception; {@code message} names the file and what was asked of it. */
    public StorageException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
