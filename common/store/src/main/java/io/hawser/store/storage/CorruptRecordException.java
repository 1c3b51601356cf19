package io.hawser.store.storage;

/** What was read does not agree with its own checksum or breaks the format's rules. */
public final class CorruptRecordException extends StorageException {
    /** Creates the exception; {@code message} names the file, and the position, what was expected and what was found. */
    public CorruptRecordException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public CorruptRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
