package io.hawser.store.storage;

/** What was read does not agree with its own checksum or breaks the format's rules. */
public final class CorruptRecordException extends StorageException {
    public CorruptRecordException(String message) {
        super(message);
    }

    public CorruptRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
