package io.hawser.broker.store.local;

import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the rows that hold segments of the log are whole: no segment is deleted before that. They are checked at the start of a
 * run, and once more before a segment is deleted if that was long ago.
 *
 * <p>Thread: index only.
 */
final class DeletionGuard {
    static final long INTERVAL_NANOS = TimeUnit.HOURS.toNanos(1);
    /** Checks take no more than this share of the time: one in so many. */
    private static final long SHARE = 50;

    private final StoreRuntime runtime;
    private final SerialQueue checks;
    private Listener listener = (check, failure) -> {};
    private @Nullable PlacesCheck running;
    private boolean known;
    private long begunNanos;
    private long knownNanos;
    private long pauseNanos;

    /** @param checks runs the checks */
    DeletionGuard(StoreRuntime runtime, SerialQueue checks) {
        this.runtime = runtime;
        this.checks = checks;
    }

    interface Listener {
        /** Passes that to {@link #ended} on the index thread. On the check's thread. */
        void ended(PlacesCheck check, @Nullable IndexFailedException failure);
    }

    void listener(Listener value) {
        listener = value;
    }

    /** Whether the rows were found whole in this run, or made in it. */
    boolean isKnown() {
        return known;
    }

    /** Whether a segment may be deleted now. If not, the rows are being checked. */
    boolean allows(H2Index index) {
        if (known && running == null && runtime.nowNanos() - knownNanos < pauseNanos) {
            return true;
        }
        check(index);
        return false;
    }

    /** Begins a check unless one is under way. */
    void check(H2Index index) {
        if (running == null) {
            PlacesCheck check = index.placesCheck();
            running = check;
            begunNanos = runtime.nowNanos();
            checks.execute(() -> check.run(runtime, failure -> listener.ended(check, failure)));
        }
    }

    /** Throws what is wrong. A check that was stopped meanwhile says nothing. */
    void ended(PlacesCheck check, @Nullable IndexFailedException failure) {
        if (check != running) {
            return;
        }
        running = null;
        if (failure != null) {
            throw failure;
        }
        known(runtime.nowNanos() - begunNanos);
    }

    /** The rows were made from the log. */
    void made() {
        known(0);
    }

    private void known(long tookNanos) {
        known = true;
        knownNanos = runtime.nowNanos();
        pauseNanos = Math.max(INTERVAL_NANOS, SHARE * tookNanos);
    }

    void stop() {
        PlacesCheck check = running;
        if (check != null) {
            running = null;
            check.stop();
        }
    }
}
