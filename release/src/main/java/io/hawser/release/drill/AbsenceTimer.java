package io.hawser.release.drill;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells since when a canary that was reported as delivered is not found. One look is not enough: report and file may cross on their way.
 *
 * <p>Thread: one.
 */
final class AbsenceTimer {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Map<String, Long> since = new HashMap<>();

    /** Records that it was not found; returns whether that has lasted long enough to count. */
    boolean missed(String name, long nowNanos) {
        Long first = since.putIfAbsent(name, nowNanos);
        boolean believed = first != null && nowNanos - first > PATIENCE_NANOS;
        if (believed) {
            since.remove(name);
        }
        return believed;
    }

    void found(String name) {
        since.remove(name);
    }
}
