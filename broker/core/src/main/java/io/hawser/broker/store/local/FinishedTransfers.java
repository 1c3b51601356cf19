package io.hawser.broker.store.local;

import io.hawser.broker.store.StoredTransferStatus;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The latest finished transfers, for people. Their number is bounded and they are in memory only: a restart forgets them.
 *
 * <p>Thread: index.
 */
final class FinishedTransfers {
    private static final int MAX_TRANSFERS = 512;

    private final ArrayDeque<StoredTransferStatus> latestFirst = new ArrayDeque<>();

    void add(StoredTransferStatus status) {
        latestFirst.addFirst(status);
        if (latestFirst.size() > MAX_TRANSFERS) {
            latestFirst.removeLast();
        }
    }

    List<StoredTransferStatus> latest(int limit) {
        return latestFirst.stream().limit(limit).toList();
    }

    int count() {
        return latestFirst.size();
    }

    Optional<StoredTransferStatus> find(Predicate<StoredTransferStatus> wanted) {
        return latestFirst.stream().filter(wanted).findFirst();
    }
}
