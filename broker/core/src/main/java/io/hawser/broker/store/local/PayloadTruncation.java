package io.hawser.broker.store.local;

import io.hawser.store.log.DetachedPayloadLog;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes payloads that are stored apart from their records, up to the first one in each area of a {@link PlacedLog} that is still
 * needed. How far an area is filled is asked first, and believed when the index has come that far: a payload that is on its way is
 * never taken for an unneeded one.
 *
 * <p>Thread: index only.
 */
final class PayloadTruncation {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Looking at all rows takes no more than this share of the index's time: one in so many. */
    private static final long SHARE = 50;

    private DetachedPayloadLog.@Nullable Filled filled;
    private long pauseNanos = INTERVAL_NANOS;
    private final LongSupplier steadyNanos;
    private long lastNanos;

    PayloadTruncation(LongSupplier steadyNanos) {
        this.steadyNanos = steadyNanos;
        this.lastNanos = steadyNanos.getAsLong() - INTERVAL_NANOS;
    }

    /** Does what is due, if the index has come far enough. */
    void step(IndexLifecycle store, DetachedPayloadLog log) {
        DetachedPayloadLog.Filled before = filled;
        if (before == null) {
            if (steadyNanos.getAsLong() - lastNanos >= pauseNanos) {
                filled = log.filled();
            }
            return;
        }
        if (store.set().appliedSequence() < before.sequence()) {
            return;
        }
        long begunNanos = steadyNanos.getAsLong();
        store.set().flush();
        Map<Integer, Long> first = new HashMap<>(before.next());
        store.index().runs().lowestPlaces().forEach((area, number) -> first.merge(area, number, Math::min));
        store.index().checkpoint();
        log.truncate(first);
        filled = null;
        lastNanos = steadyNanos.getAsLong();
        pauseNanos = Math.max(INTERVAL_NANOS, SHARE * (lastNanos - begunNanos));
    }
}
