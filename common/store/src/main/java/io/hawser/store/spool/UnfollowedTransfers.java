package io.hawser.store.spool;

import io.hawser.core.model.Receipt;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Transfers that were committed at the next hop and are no longer followed, since too many wait for receipts: as long as their far ends
 * have not said what became of them, nobody here knows what is at their paths. A restart forgets them.
 *
 * <p>Thread: the loop.
 */
final class UnfollowedTransfers {
    private record Entry(Topic topic, DeliveryReceipts delivery) {}

    private final int limit;
    private final Map<TransferId, Entry> byId = new HashMap<>();
    private final Map<Topic, Integer> counts = new HashMap<>();
    /** Topics with more of them than can be remembered. */
    private final Set<Topic> overflowed = new HashSet<>();

    UnfollowedTransfers(int limit) {
        this.limit = limit;
    }

    void add(SpoolTransfer transfer) {
        Topic topic = transfer.manifest().topic();
        if (byId.size() >= limit) {
            overflowed.add(topic);
        } else if (byId.put(transfer.key().id(), new Entry(topic, transfer.delivery())) == null) {
            counts.merge(topic, 1, Integer::sum);
        }
    }

    void receipt(Receipt receipt) {
        TransferId id = receipt.key().id();
        Entry entry = byId.get(id);
        if (entry == null || !entry.delivery.takes(receipt)) {
            return;
        }
        DeliveryReceipts delivery = entry.delivery.with(receipt);
        if (delivery.isSettled()) {
            byId.remove(id);
            counts.computeIfPresent(entry.topic, (topic, count) -> count == 1 ? null : count - 1);
        } else {
            byId.put(id, new Entry(entry.topic, delivery));
        }
    }

    /** Whether there are any of that topic. */
    boolean has(Topic topic) {
        return counts.containsKey(topic) || overflowed.contains(topic);
    }
}
