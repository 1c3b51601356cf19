package io.hawser.broker.store.local;

/** The index cannot be trusted or does not work. It is moved aside and made again from the log. */
final class IndexFailedException extends RuntimeException {
    IndexFailedException(String message) {
        super(message);
    }

    IndexFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
