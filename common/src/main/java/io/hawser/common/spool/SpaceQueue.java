package io.hawser.common.spool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Uploads of unknown size that wait for space. When some returns, the oldest upload goes on first. When none has returned for
 * the stall timeout, the youngest is ended, and what it held is for the others.
 *
 * <p>Thread: the loop.
 */
final class SpaceQueue {
    private final long timeoutMillis;
    private final List<Waiter> waiting = new ArrayList<>();
    private long stalledSinceMillis = Long.MAX_VALUE;

    /** An upload that waits. */
    interface Waiter {
        /** Its place in time: the publisher's number. */
        long number();

        /** Tries to take the space that it needs; true if it got it. Then it goes on. */
        boolean tryGoOn();

        /** There is none: it is ended. */
        void endForSpace();
    }

    SpaceQueue(long timeoutMillis) {
        this.timeoutMillis = timeoutMillis;
    }

    void add(Waiter waiter, long nowMillis) {
        waiting.add(waiter);
        waiting.sort(Comparator.comparingLong(Waiter::number));
        stalledSinceMillis = Math.min(stalledSinceMillis, nowMillis);
    }

    void remove(Waiter waiter) {
        waiting.remove(waiter);
    }

    int size() {
        return waiting.size();
    }

    /** Space may have returned. */
    void retry(long nowMillis) {
        while (!waiting.isEmpty() && waiting.get(0).tryGoOn()) {
            waiting.remove(0);
            stalledSinceMillis = nowMillis;
        }
        if (waiting.isEmpty()) {
            stalledSinceMillis = Long.MAX_VALUE;
        }
    }

    /** Time passes. */
    void tick(long nowMillis) {
        retry(nowMillis);
        if (!waiting.isEmpty() && nowMillis - stalledSinceMillis >= timeoutMillis) {
            stalledSinceMillis = nowMillis;
            waiting.remove(waiting.size() - 1).endForSpace();
        }
    }
}
