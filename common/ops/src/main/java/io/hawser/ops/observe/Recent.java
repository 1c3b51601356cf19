package io.hawser.ops.observe;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the answer to a costly question for a moment: health checks, metrics and pages ask it again and again.
 *
 * <p>Thread: any; one at a time asks.
 */
public final class Recent<T> implements NodeMetrics.Source<T> {
    private final long ageNanos;
    private final LongSupplier nanoTime;
    private final NodeMetrics.Source<T> source;
    private @Nullable T latest;
    private long askedNanos;

    /** @param age an answer is not older */
    public Recent(Duration age, LongSupplier nanoTime, NodeMetrics.Source<T> source) {
        this.ageNanos = age.toNanos();
        this.nanoTime = nanoTime;
        this.source = source;
    }

    @Override
    public synchronized T get() throws IOException {
        T known = latest;
        if (known != null && nanoTime.getAsLong() - askedNanos < ageNanos) {
            return known;
        }
        T fresh = source.get();
        latest = fresh;
        askedNanos = nanoTime.getAsLong();
        return fresh;
    }
}
