package io.hawser.store.storage;

/** A store that is kept elsewhere does not answer; later it may. */
public final class RemoteStoreUnavailableException extends RemoteStoreException {
    /** Creates the exception; {@code message} names the addresses and what happened there. */
    public RemoteStoreUnavailableException(String message) {
        super(message);
    }

    public RemoteStoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
