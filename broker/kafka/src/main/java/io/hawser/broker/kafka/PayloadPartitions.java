package io.hawser.broker.kafka;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.TransferKey;
import java.util.Map;

/**
 * Chooses the partition of a transfer's payloads: a transfer keeps its first one, and a new transfer gets the partition with the
 * fewest pending bytes. Drawn by their ids, transfers were seen to meet in half of the partitions while the others, and their nodes,
 * stood idle.
 *
 * <p>One that has not been seen for long is as one that begins: the journal says for each payload where it lies.
 *
 * <p>Thread: any.
 */
final class PayloadPartitions {
    /** So many transfers are known; more are seldom on their way at once. */
    private static final int MAX_KNOWN = 4_096;

    private final long[] bytes;
    private final long[] chosen;
    private final Map<TransferKey, Integer> known = EvictingMap.leastRecentlyUsed(MAX_KNOWN);
    private long turn;

    PayloadPartitions(int count) {
        this.bytes = new long[count];
        this.chosen = new long[count];
    }

    /** The partition for so many bytes of {@code transfer}, which are on their way from now on. */
    synchronized int begin(TransferKey transfer, int length) {
        int partition = known.computeIfAbsent(transfer, unused -> choose());
        bytes[partition] += length;
        return partition;
    }

    private int choose() {
        int best = 0;
        for (int i = 1; i < bytes.length; i++) {
            if (bytes[i] < bytes[best] || (bytes[i] == bytes[best] && chosen[i] < chosen[best])) {
                best = i;
            }
        }
        turn++;
        chosen[best] = turn;
        return best;
    }

    synchronized void end(int partition, int length) {
        bytes[partition] -= length;
    }
}
