package io.hawser.ops.observe;

/**
 * One replica of a file; an element of the JSON list of {@code /replicas}.
 *
 * @param topic the topic of the transfer
 * @param subscription the far end that has it
 * @param transfer the key of the transfer that delivered it, or patched it last
 * @param sentName the name under which it was sent, if it was renamed since; otherwise the requested name
 * @param sizeBytes its size; -1 if unknown after a patch
 * @param digest the tree digest that the far end verified; empty if unknown after a patch
 * @param deliveredEpochMillis when it was published, by the far end's clock
 */
public record ReplicaLine(
        String topic,
        String subscription,
        String transfer,
        String sentName,
        long sizeBytes,
        String digest,
        long deliveredEpochMillis) {}
