package io.hawser.core.remote;

import java.util.concurrent.TimeUnit;

/** The delay before a question is asked again: {@value #FIRST_MILLIS} ms, doubled up to {@value #LONGEST_MILLIS} ms. */
final class CallBackoff {
    /** What was under way for longer than this had reached somebody: losing it is a new loss. */
    static final long REACHED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long FIRST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 800;

    private long millis = FIRST_MILLIS;

    /** The next rest, in nanoseconds. */
    long next() {
        long rest = millis;
        millis = Math.min(LONGEST_MILLIS, millis * 2);
        return TimeUnit.MILLISECONDS.toNanos(rest);
    }

    void forget() {
        millis = FIRST_MILLIS;
    }
}
