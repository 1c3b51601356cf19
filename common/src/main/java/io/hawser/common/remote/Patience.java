package io.hawser.common.remote;

import java.time.Duration;

/**
 * How long an asker waits for what it has asked.
 *
 * @param away while nobody can be asked: no broker or no far edge is connected
 * @param silent altogether, so also while the far edge has the question and says nothing; of a listing for each page
 */
public record Patience(Duration away, Duration silent) {
    private static final Duration LONGER_THAN_ANYBODY = Duration.ofDays(36_500);

    /** For what takes as long as it takes: reading, and checksums. */
    public static Patience whileAway(Duration away) {
        return new Patience(away, LONGER_THAN_ANYBODY);
    }
}
