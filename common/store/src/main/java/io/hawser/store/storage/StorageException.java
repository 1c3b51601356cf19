package io.hawser.store.storage;

import java.io.IOException;

/** A disk did not do what it was asked, or what it holds cannot be used. The subclasses say what a caller can act upon. */
public class StorageException extends IOException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public StorageException(String message) {
        super(message);
    }

    public StorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
