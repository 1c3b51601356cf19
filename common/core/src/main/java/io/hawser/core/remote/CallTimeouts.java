package io.hawser.core.remote;

import java.time.Duration;

/**
 * The time limits of a call to the far end.
 *
 * @param away while no node can be asked: no broker or no far end is connected
 * @param silent in all, also while the far end has the question and does not answer; for each page of a listing
 */
public record CallTimeouts(Duration away, Duration silent) {
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    /** For calls of unlimited duration: reading, and checksums. */
    public static CallTimeouts whileAway(Duration away) {
        return new CallTimeouts(away, UNLIMITED);
    }
}
