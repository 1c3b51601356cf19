package io.hawser.broker.store.local;

/** The index failed or cannot be trusted. The broker moves it aside and rebuilds it from the log. */
final class IndexFailedException extends RuntimeException {
    IndexFailedException(String message) {
        super(message);
    }

    IndexFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
