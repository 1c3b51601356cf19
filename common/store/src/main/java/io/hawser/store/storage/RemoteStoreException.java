package io.hawser.store.storage;

/** A store that is kept elsewhere, such as in Kafka, cannot be used. No disk of this machine is the reason; the message says what is. */
public class RemoteStoreException extends StorageException {
    /** Creates the exception; {@code message} says what an operator can do, where there is something. */
    public RemoteStoreException(String message) {
        super(message);
    }

    public RemoteStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
