package io.hawser.store.runtime;

/** Named places where a test can let the world end. In production nothing happens there. */
@FunctionalInterface
public interface CrashPoints {
    /** Nothing happens. */
    CrashPoints NONE = point -> {};

    /** Execution has come to {@code point}, such as {@code log.before-force}. */
    void reached(String point);
}
