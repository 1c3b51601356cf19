package io.hawser.core.remote;

import java.util.concurrent.TimeUnit;

/** The delay before a question is asked again: {@value #FIRST_MILLIS} ms, doubled up to {@value #LONGEST_MILLIS} ms. */
final class CallBackoff {
    /** A call that was in flight for longer had reached the peer: its loss restarts the back-off. */
    static final long REACHED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long FIRST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 800;

    private long millis = FIRST_MILLIS;

    /** The next delay, in nanoseconds. */
    long next() {
        long delay = millis;
        millis = Math.min(LONGEST_MILLIS, millis * 2);
        return TimeUnit.MILLISECONDS.toNanos(delay);
    }

    void reset() {
        millis = FIRST_MILLIS;
    }
}
