package io.hawser.release.drill;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Since when something that was said to be delivered is not found. One look is not enough: the word and the file may cross on their way
 * here.
 *
 * <p>Thread: one.
 */
final class Misses {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Map<String, Long> since = new HashMap<>();

    /** It was not found just now; returns whether that goes on for long enough to believe it. */
    boolean missed(String name, long nowNanos) {
        Long first = since.putIfAbsent(name, nowNanos);
        boolean believed = first != null && nowNanos - first > PATIENCE_NANOS;
        if (believed) {
            since.remove(name);
        }
        return believed;
    }

    /** It was found. */
    void found(String name) {
        since.remove(name);
    }
}
