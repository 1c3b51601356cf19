package io.hawser.broker.relay;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.TransferKey;
import java.util.Comparator;
import java.util.Map;

/**
 * The order in which this relay saw transfers first, as far as they may wait for space. A transfer's id has a time too, but its publisher
 * chooses the id.
 *
 * <p>Bounded: one of which nothing was heard for longest is forgotten. It is then the youngest, as those that came before the relay's start
 * and have not come again.
 *
 * <p>Thread: the relay's loop.
 */
final class ArrivalOrder {
    private static final int MAX_TRANSFERS = 8192;
    private static final long NOT_SEEN = Long.MAX_VALUE;

    private final Map<TransferKey, Long> firstSeen = EvictingMap.leastRecentlyUsed(MAX_TRANSFERS);
    private long seen;

    /** The oldest first. */
    final Comparator<TransferKey> oldestFirst = Comparator.<TransferKey>comparingLong(this::order)
            .thenComparingLong(key -> key.id().epochMillis())
            .thenComparing(key -> key);

    /** The transfer is here, or asks for room. */
    void see(TransferKey key) {
        if (firstSeen.get(key) == null) {
            seen++;
            firstSeen.put(key, seen);
        }
    }

    private long order(TransferKey key) {
        return firstSeen.getOrDefault(key, NOT_SEEN);
    }
}
