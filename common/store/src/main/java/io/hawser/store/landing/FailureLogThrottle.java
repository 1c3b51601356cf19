package io.hawser.store.landing;

import io.hawser.core.collection.EvictingMap;
import java.time.Duration;
import java.util.Map;

/**
 * Suppresses log lines about failed deliveries whose reason was logged recently: a far server that is away fails every waiting
 * object with the same words, every thirty seconds.
 *
 * <p>Thread: the loop.
 */
final class FailureLogThrottle {
    private static final long AGAIN_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int MAX_REASONS = 64;

    private final Map<String, Long> toldNanos = new EvictingMap<>(MAX_REASONS);

    /** Whether it was not told in the last ten minutes; from now on it is. Of too many the latest are known. */
    boolean isNews(String reason, long nowNanos) {
        Long told = toldNanos.get(reason);
        if (told != null && nowNanos - told < AGAIN_NANOS) {
            return false;
        }
        toldNanos.remove(reason); // to the end of the row
        toldNanos.put(reason, nowNanos);
        return true;
    }
}
