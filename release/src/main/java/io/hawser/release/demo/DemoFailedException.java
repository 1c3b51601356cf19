package io.hawser.release.demo;

/** The demo did not show what it is to show; the message says what. */
final class DemoFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
        super(message);
    }
}
