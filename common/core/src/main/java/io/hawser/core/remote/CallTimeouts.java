package io.hawser.core.remote;

import java.time.Duration;

/**
 * The time limits of a call to the far end.
 *
 * @param away while nobody can be asked: no broker or no far edge is connected
 * @param silent altogether, so also while the far edge has the question and says nothing; of a listing for each page
 */
public record CallTimeouts(Duration away, Duration silent) {
    private static final Duration LONGER_THAN_ANYBODY = Duration.ofDays(36_500);

    /** For what takes as long as it takes: reading, and checksums. */
    public static CallTimeouts whileAway(Duration away) {
        return new CallTimeouts(away, LONGER_THAN_ANYBODY);
    }
}
