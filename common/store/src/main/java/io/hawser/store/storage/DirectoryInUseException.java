package io.hawser.store.storage;

/** Another process, or another part of this one, holds the data directory. */
public final class DirectoryInUseException extends StorageException {
    public DirectoryInUseException(String message) {
        super(message);
    }
}
