package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Transfers that were refused temporarily, with the time of each next attempt: after 250 ms, then doubled each time, up to two
 * seconds.
 *
 * <p>Thread: the sender's loop.
 */
final class RetryQueue {
    private static final long FIRST_RETRY_NANOS = 250_000_000L;
    private static final int MAX_DOUBLINGS = 3;

    private final Map<TransferKey, OutgoingTransfer> waiting = new LinkedHashMap<>();

    /** The transfer was refused once more. */
    void add(OutgoingTransfer transfer, long nowNanos) {
        transfer.retryAtNanos = nowNanos + (FIRST_RETRY_NANOS << Math.min(transfer.refusals++, MAX_DOUBLINGS));
        waiting.put(transfer.key(), transfer);
    }

    /** The transfer does not wait any more, if it did. */
    void remove(TransferKey key) {
        waiting.remove(key);
    }

    /** Those whose time has come. They do not wait any more. */
    List<OutgoingTransfer> takeDue(long nowNanos) {
        List<OutgoingTransfer> due = new ArrayList<>();
        for (OutgoingTransfer transfer : waiting.values()) {
            if (nowNanos - transfer.retryAtNanos >= 0) {
                due.add(transfer);
            }
        }
        due.forEach(transfer -> waiting.remove(transfer.key()));
        return due;
    }

    /** Nobody waits. */
    void clear() {
        waiting.clear();
    }
}
