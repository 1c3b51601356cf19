package io.hawser.broker.store.local;

import java.io.IOException;

/** The index failed or cannot be trusted. The broker moves it aside and rebuilds it from the log. */
final class IndexFailedException extends RuntimeException {
    IndexFailedException(String message) {
        super(message);
    }

    IndexFailedException(String message, Throwable cause) {
        super(withErrorOfFile(message, cause), cause);
    }

    /** H2 names the file and hides what the file system said, such as that it is full, in the causes. */
    private static String withErrorOfFile(String message, Throwable cause) {
        Throwable deepest = cause;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String said = deepest.getMessage();
        return deepest instanceof IOException && said != null && !message.contains(said)
                ? message + ": " + said
                : message;
    }
}
