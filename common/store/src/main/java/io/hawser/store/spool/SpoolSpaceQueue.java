package io.hawser.store.spool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Uploads of unknown size that wait for space. When some returns, the oldest upload resumes first. When none has returned for
 * the stall timeout, the youngest is ended, and what it held is for the others.
 *
 * <p>Thread: the loop.
 */
final class SpoolSpaceQueue {
    private final long timeoutMillis;
    private final LongSupplier steadyMillis;
    private final List<Waiter> waiting = new ArrayList<>();
    private long stalledSinceMillis = Long.MAX_VALUE;

    /** An upload that waits. */
    interface Waiter {
        /** Its place in time: the publisher's number. */
        long number();

        /** Tries to take the space that it needs; true if it got it and resumes. */
        boolean tryGoOn();

        /** There is none: it is ended. */
        void endForSpace();
    }

    /** @param steadyMillis a clock that is never set */
    SpoolSpaceQueue(long timeoutMillis, LongSupplier steadyMillis) {
        this.timeoutMillis = timeoutMillis;
        this.steadyMillis = steadyMillis;
    }

    void add(Waiter waiter) {
        waiting.add(waiter);
        waiting.sort(Comparator.comparingLong(Waiter::number));
        stalledSinceMillis = Math.min(stalledSinceMillis, steadyMillis.getAsLong());
    }

    void remove(Waiter waiter) {
        waiting.remove(waiter);
    }

    int size() {
        return waiting.size();
    }

    /** Space may have returned. */
    void retry() {
        while (!waiting.isEmpty() && waiting.get(0).tryGoOn()) {
            waiting.remove(0);
            stalledSinceMillis = steadyMillis.getAsLong();
        }
        if (waiting.isEmpty()) {
            stalledSinceMillis = Long.MAX_VALUE;
        }
    }

    /** Time passes. */
    void tick() {
        retry();
        long nowMillis = steadyMillis.getAsLong();
        if (!waiting.isEmpty() && nowMillis - stalledSinceMillis >= timeoutMillis) {
            stalledSinceMillis = nowMillis;
            waiting.remove(waiting.size() - 1).endForSpace();
        }
    }
}
