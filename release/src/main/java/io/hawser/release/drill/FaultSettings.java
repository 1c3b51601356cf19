package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain.Part;
import java.time.Duration;
import java.util.Set;

/**
 * The faults of a drill.
 *
 * @param kills nodes that are killed; with {@code pauses} in the order of the enum, so that a seed gives the same faults
 * @param pauses nodes that are stopped and continued
 * @param times how many faults at most; 0 for as many as fit into the drill's length
 * @param every from one fault to the next, if the node is back by then
 * @param down how long a node stays dead or stopped
 */
record FaultSettings(Set<Part> kills, Set<Part> pauses, int times, Duration every, Duration down) {
    boolean isNone() {
        return kills.isEmpty() && pauses.isEmpty();
    }

    boolean concerns(Part node) {
        return kills.contains(node) || pauses.contains(node);
    }
}
