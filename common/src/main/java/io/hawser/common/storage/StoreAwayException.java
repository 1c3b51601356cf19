package io.hawser.common.storage;

/** A store that is kept elsewhere does not answer; later it may. */
public final class StoreAwayException extends NotTheDiskException {
    /** Creates the exception; {@code message} names the addresses and what happened there. */
    public StoreAwayException(String message) {
        super(message);
    }

    /** The same, with its cause. */
    public StoreAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
