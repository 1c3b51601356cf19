package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of finished transfers, for people: the latest ones each, and the sum of all.
 *
 * <p>Thread: the sender's loop.
 */
final class SentTransfers {
    private static final int MAX = 1024;

    private record Sent(SenderProgress how, long committedNanos) {}

    private final Map<TransferKey, Sent> latest = new LinkedHashMap<>();
    private long resentBytes;

    /** A transfer is committed. {@code repeatedBytes} is how much the receiver has had more than once. */
    void committed(OutgoingTransfer transfer, long repeatedBytes, long nowNanos) {
        Commit commit = transfer.commit;
        SenderProgress how = new SenderProgress(
                "COMMITTED",
                commit == null ? 0 : commit.sizeBytes(),
                transfer.sentBytes,
                Math.max(transfer.resentBytes, repeatedBytes),
                transfer.resentAckedBytes,
                "",
                0,
                "");
        latest.put(transfer.key(), new Sent(how, nowNanos));
        if (latest.size() > MAX) {
            latest.remove(latest.keySet().iterator().next());
        }
    }

    /** A transfer is finished, however. */
    void ended(OutgoingTransfer transfer) {
        resentBytes += transfer.resentBytes;
    }

    /** How that one went and how long ago, or null if it is not known any more. */
    @Nullable
    SenderProgress of(TransferKey key, long nowNanos) {
        Sent sent = latest.get(key);
        return sent == null ? null : sent.how.after(SenderProgress.millis(sent.committedNanos, nowNanos));
    }

    /** Bytes that were sent more than once, over all that are finished. */
    long resentBytes() {
        return resentBytes;
    }
}
