package io.hawser.broker.relay;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Fragments that were durable here and turned out unreadable. The answer to a publisher's OPEN omits them, so a publisher that still
 * has them sends them again.
 *
 * <p>Thread: the relay's loop.
 */
final class DamagedFragments {
    private final Map<TransferKey, FragmentRanges> byTransfer = new HashMap<>();

    void add(TransferKey key, long index) {
        byTransfer.computeIfAbsent(key, unused -> new FragmentRanges()).add(index);
    }

    boolean has(TransferKey key) {
        return byTransfer.containsKey(key);
    }

    /** Of a transfer of {@code fragmentCount} fragments, those that are whole here. */
    FragmentRanges intact(TransferKey key, long fragmentCount) {
        FragmentRanges intact = FragmentRanges.of(0, fragmentCount);
        FragmentRanges lost = byTransfer.get(key);
        if (lost != null) {
            lost.runs().forEach(run -> intact.remove(run.start(), run.end()));
        }
        return intact;
    }

    /** Nothing of the transfer is here any more, whole or damaged. */
    void forget(TransferKey key) {
        byTransfer.remove(key);
    }

    /** The fragment has been written again. */
    void repaired(TransferKey key, long index) {
        FragmentRanges lost = byTransfer.get(key);
        if (lost != null) {
            lost.remove(index, index + 1);
            if (lost.isEmpty()) {
                byTransfer.remove(key);
            }
        }
    }
}
