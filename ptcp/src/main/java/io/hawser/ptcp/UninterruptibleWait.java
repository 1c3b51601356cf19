package io.hawser.ptcp;

import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * Waits that an interrupt does not end, as with the JDK's blocking sockets. The thread keeps its interrupt status.
 *
 * <p>Thread: any.
 */
final class UninterruptibleWait {
    /** A wait without an end, in nanoseconds. */
    static final long FOR_EVER = Long.MAX_VALUE / 2;

    private UninterruptibleWait() {}

    /**
     * Waits until a condition holds. Called with the condition's lock.
     *
     * @return whether it holds; false at a timeout
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

    /** Returns whether it was interrupted, which clears the interrupt status. */
    @SuppressWarnings({"WaitNotInLoop", "ResultOfMethodCallIgnored"}) // the caller loops and checks the clock
    private static boolean waitOnce(Condition changed, long nanos) {
        try {
            changed.awaitNanos(nanos);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
