package io.hawser.it.power;

import java.util.List;
import java.util.Map;

/**
 * One power cut and what followed: a line of the journal.
 *
 * @param canaries files that were written and not forced just before the cut
 * @param canariesLost how many of these were lost: that the cut was one
 * @param consumerForces whether the consumer forced its removals meanwhile, which on ext4 forces the names of all
 * @param attempts objects that were sent since the cut before, with the next
 * @param exits exit codes of nodes that were given the time to end by themselves
 * @param readyMillis from the start of a node's process until it was ready
 * @param settledMillis from then until all that was promised had arrived
 */
record Cut(
        String commit,
        String machine,
        String fileSystem,
        long seed,
        int number,
        List<String> victims,
        Controls controls,
        int canaries,
        int canariesLost,
        boolean consumerForces,
        int attempts,
        int acked,
        long ackedBytes,
        int published,
        Map<String, Integer> exits,
        Map<String, Long> readyMillis,
        long settledMillis,
        List<String> violations)
        implements Trial {}
