package io.hawser.ops.observe;

/**
 * One copy of a file; an element of the JSON list of {@code /replicas}.
 *
 * @param topic by which it went
 * @param subscription the far end that has it
 * @param transfer the key of the transfer by which it came, or was patched last
 * @param sentName the name under which it was sent, if it was renamed since; otherwise the name that was asked for
 * @param sizeBytes its size; -1 if not known, since it was patched
 * @param digest the tree digest that was verified there; empty if not known, since it was patched
 * @param deliveredEpochMillis when it was published, by the far end's clock
 *
 * <p>Thread: immutable.
 */
public record ReplicaLine(
        String topic,
        String subscription,
        String transfer,
        String sentName,
        long sizeBytes,
        String digest,
        long deliveredEpochMillis) {}
