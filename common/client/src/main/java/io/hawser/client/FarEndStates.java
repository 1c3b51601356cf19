package io.hawser.client;

import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.Receipt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Joins what receipts and the broker say about a transfer's far ends. A receipt is the far end's own word and goes first. Pure. */
final class FarEndStates {
    private FarEndStates() {}

    /**
     * The far ends by name.
     *
     * @param sizeBytes the transfer's size; negative while it is not known
     * @param told what the broker has said
     */
    static List<FarEnd> of(
            List<String> deliverySet, List<Receipt> receipts, long sizeBytes, List<FarEndProgress> told) {
        Map<String, FarEnd> all = new TreeMap<>();
        Map<String, Long> bytes = new HashMap<>();
        deliverySet.forEach(name -> all.put(name, new FarEnd(name, FarEnd.State.OWED, 0)));
        for (FarEndProgress each : told) {
            FarEnd.State now = each.connected() ? FarEnd.State.ARRIVING : FarEnd.State.AWAY;
            all.put(each.subscription(), new FarEnd(each.subscription(), now, each.durableBytes()));
            bytes.put(each.subscription(), each.durableBytes());
        }
        long whole = Math.max(0, sizeBytes);
        for (Receipt receipt : receipts) {
            String name = receipt.subscription();
            all.put(
                    name,
                    switch (receipt.status()) {
                        case LANDED -> new FarEnd(name, FarEnd.State.LANDED, whole);
                        case DELIVERED -> new FarEnd(name, FarEnd.State.DELIVERED, whole);
                        case FAILED, EXPIRED, CANCELLED, DEAD ->
                            new FarEnd(name, FarEnd.State.NOT_DELIVERED, bytes.getOrDefault(name, 0L));
                    });
        }
        return List.copyOf(all.values());
    }
}
