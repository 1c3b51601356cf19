package io.hawser.release.drill;

import java.time.Duration;
import java.util.Optional;

/**
 * What a drill does.
 *
 * @param length when the last fault may begin, or how long canaries are sent where there are no faults; empty if the number of faults or
 *     canaries says when it ends
 * @param seed of the order of faults, and of the canaries' content
 * @param patience how long something may take after the last fault, or at all
 * @param keep whether canaries and data stay
 */
record DrillSettings(
        FaultSettings faults,
        CanarySettings canaries,
        Optional<Duration> length,
        long seed,
        Duration patience,
        boolean keep) {
    /** Whether no node is killed or stopped. */
    boolean isCheck() {
        return faults.isNone();
    }

    /** How many canaries each sender sends; 0 for as many as fit. */
    int canariesEach() {
        return isCheck() && length.isEmpty() ? canaries.count() : 0;
    }
}
