package io.hawser.ptcp;

import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * Waiting that an interrupt does not end, as it is with the JDK's own blocking sockets. The thread keeps its mark.
 *
 * <p>Thread: any.
 */
final class UninterruptibleWait {
    /** A wait without an end, in nanoseconds. */
    static final long FOR_EVER = Long.MAX_VALUE / 2;

    private UninterruptibleWait() {}

    /**
     * Waits until something is so. To be called with the condition's lock.
     *
     * @return whether it is so; false when the time is over
     */
    static boolean until(Condition changed, long nanos, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (!isSo.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                interrupted |= waitOnce(changed, left);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns whether it was interrupted, which takes the thread's mark away. */
    @SuppressWarnings({"WaitNotInLoop", "ResultOfMethodCallIgnored"}) // the caller loops, and looks at the clock itself
    private static boolean waitOnce(Condition changed, long nanos) {
        try {
            changed.awaitNanos(nanos);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
