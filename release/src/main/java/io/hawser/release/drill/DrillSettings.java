package io.hawser.release.drill;

import io.hawser.release.process.Chain.Part;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a drill does.
 *
 * @param times how many faults at most; 0 for as many as fit into {@code length}
 * @param length when the last fault may begin, or how long canaries are sent where there are no faults; empty if {@code times} or
 *     {@code canaries} say when it ends
 * @param every from one fault to the next, if the node is back by then
 * @param down how long a node stays dead or stopped
 * @param canaries without faults and length: how many each way
 * @param gap between two canaries of one sender
 * @param patience how long something may take after the last fault, or at all
 * @param keep whether canaries and data stay
 *
 * <p>Thread: immutable.
 */
record DrillSettings(
        Set<Part> kills,
        Set<Part> pauses,
        int times,
        Optional<Duration> length,
        Duration every,
        Duration down,
        long seed,
        long largestBytes,
        int canaries,
        Duration gap,
        Duration patience,
        boolean keep) {
    /** Whether nothing is done to anybody. */
    boolean isCheck() {
        return kills.isEmpty() && pauses.isEmpty();
    }

    /** How many canaries each sender sends; 0 for as many as fit. */
    int canariesEach() {
        return isCheck() && length.isEmpty() ? canaries : 0;
    }
}
