package io.hawser.store.storage;

/** A directory that a node keeps data in is not there any more, or is another one; the message says what to do. */
public final class DirectoryGoneException extends StorageException {
    public DirectoryGoneException(String message) {
        super(message);
    }
}
