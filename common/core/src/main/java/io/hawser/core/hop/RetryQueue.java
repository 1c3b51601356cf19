package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Transfers that were refused for now, with the time of each next attempt: after 250 ms, doubled each time, up to two seconds.
 *
 * <p>Thread: the sender's loop.
 */
final class RetryQueue {
    private static final long FIRST_RETRY_NANOS = 250_000_000L;
    private static final int MAX_DOUBLINGS = 3;

    private final Map<TransferKey, OutgoingTransfer> waiting = new LinkedHashMap<>();

    /** Queues a transfer that was refused once more. */
    void add(OutgoingTransfer transfer, long nowNanos) {
        transfer.retryAtNanos = nowNanos + (FIRST_RETRY_NANOS << Math.min(transfer.refusals++, MAX_DOUBLINGS));
        waiting.put(transfer.key(), transfer);
    }

    void remove(TransferKey key) {
        waiting.remove(key);
    }

    List<OutgoingTransfer> takeDue(long nowNanos) {
        List<OutgoingTransfer> due = waiting.values().stream()
                .filter(transfer -> nowNanos - transfer.retryAtNanos >= 0)
                .toList();
        due.forEach(transfer -> waiting.remove(transfer.key()));
        return due;
    }

    void clear() {
        waiting.clear();
    }
}
