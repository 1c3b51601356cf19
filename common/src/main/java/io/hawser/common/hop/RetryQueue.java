package io.hawser.common.hop;

import io.hawser.common.model.TransferKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Transfers that were refused for now, and when each is tried again: after 250 ms, then after twice as long each time, at the
 * most after two seconds.
 *
 * <p>Thread: the sender's loop.
 */
final class RetryQueue {
    private static final long FIRST_RETRY_NANOS = 250_000_000L;
    private static final int MAX_DOUBLINGS = 3;

    private final Map<TransferKey, Outgoing> waiting = new LinkedHashMap<>();

    /** The transfer was refused once more. */
    void add(Outgoing transfer, long nowNanos) {
        transfer.retryAtNanos = nowNanos + (FIRST_RETRY_NANOS << Math.min(transfer.refusals++, MAX_DOUBLINGS));
        waiting.put(transfer.key(), transfer);
    }

    /** The transfer does not wait any more, if it did. */
    void remove(TransferKey key) {
        waiting.remove(key);
    }

    /** Those whose time has come. They do not wait any more. */
    List<Outgoing> takeDue(long nowNanos) {
        List<Outgoing> due = new ArrayList<>();
        for (Outgoing transfer : waiting.values()) {
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
