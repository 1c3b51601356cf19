package io.hawser.send;

/**
 * Shows how far a send is while it runs.
 *
 * <p>Thread: main only.
 */
interface SendDisplay extends AutoCloseable {
    /** Shows nothing. */
    SendDisplay NONE = new SendDisplay() {
        @Override
        public void show(SendProgress progress) {}
    };

    /** To be called several times a second. */
    void show(SendProgress progress);

    /** What becomes of an object is known. */
    default void done(SentObject object) {}

    @Override
    default void close() {}
}
