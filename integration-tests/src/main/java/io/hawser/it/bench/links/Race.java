package io.hawser.it.bench.links;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One work, and who does it by turns.
 *
 * @param of what the figures are of, besides who did it
 * @param streams what agent-a is told of its streams; empty: nothing, as for a user who tunes nothing
 * @param ours whether Hawser takes part
 * @param peers who else does
 * @param aimSeconds Hawser's
 */
record Race(
        Map<String, String> of,
        LinkWork work,
        String streams,
        boolean ours,
        List<? extends PeerProgram> peers,
        OptionalDouble aimSeconds) {
    /** Whether this race can be run with the nodes of another. */
    boolean sharesNodes(Race other) {
        return work.link().equals(other.work.link()) && streams.equals(other.streams) && ours == other.ours;
    }
}
