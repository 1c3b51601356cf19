package io.hawser.core.hop;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Commit;
import io.hawser.core.model.TransferKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of the latest finished transfers.
 *
 * <p>Thread: the sender's loop.
 */
final class FinishedTransferStatistics {
    private static final int MAX = 1024;

    private record Sent(OutgoingTransferStatus how, long committedNanos) {}

    private final Map<TransferKey, Sent> latest = new EvictingMap<>(MAX);

    /** A transfer is committed. The receiver got {@code repeatedBytes} more than once. */
    void committed(OutgoingTransfer transfer, long repeatedBytes, long nowNanos) {
        Commit commit = transfer.commit;
        OutgoingTransferStatus how = new OutgoingTransferStatus(
                "COMMITTED",
                commit == null ? 0 : commit.sizeBytes(),
                transfer.sentBytes,
                Math.max(transfer.resentBytes, repeatedBytes),
                transfer.resentAckedBytes,
                "",
                0,
                "");
        latest.put(transfer.key(), new Sent(how, nowNanos));
    }

    /** The final progress of that transfer and its age; null if it is no longer known. */
    @Nullable
    OutgoingTransferStatus of(TransferKey key, long nowNanos) {
        Sent sent = latest.get(key);
        return sent == null ? null : sent.how.after(OutgoingTransferStatus.millis(sent.committedNanos, nowNanos));
    }
}
