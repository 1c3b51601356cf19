package io.hawser.core.hop;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The durable store that a {@link HopSender} sends from: agent-a's spool, a source file, the broker's log. It loads fragments, and learns
 * which copies it may delete.
 *
 * <p>Thread: the sender's loop; callbacks on it too, never inside the call that asked.
 */
public interface SenderStore {
    /** About 30,000 receipts without a reason. */
    long DEFAULT_EARLY_RECEIPT_BYTES = 8L << 20;

    /**
     * Loads one fragment into memory; waits for a buffer if none is free. The callback gets a fragment and owns one reference of its buffer,
     * or it gets a refusal ({@code STORAGE_FAILED}: cannot be read or does not match its checksum; {@code NOT_FOUND}: deleted).
     */
    void load(TransferKey key, long index, Outcome.Callback<Fragment> done);

    /** These fragments are durable at the next store. */
    void acked(TransferKey key, FragmentRanges ranges);

    /** The whole transfer is durable and committed at the next store: this store may delete its copy. */
    void committed(TransferKey key, List<String> deliverySet);

    /**
     * Whether {@link #receipt} may get a receipt that is not final before its transfer is committed at the receiver. A consumer that
     * acknowledges by hand reports in this way that a delivery waits, and why.
     */
    default boolean takesEarlyNews() {
        return false;
    }

    /** The most bytes of memory for receipts that came before the COMMITTED of their transfers; the receiver repeats others in its next session. */
    default long mostEarlyReceiptBytes() {
        return DEFAULT_EARLY_RECEIPT_BYTES;
    }

    /** A receipt arrived. The store runs {@code durable} when the receipt is durable or need not be kept; only then it is acked. */
    void receipt(Receipt receipt, Runnable durable);

    /**
     * The next store refuses the transfer. The sender retries by itself if {@code refusal.code().retriable()}, and in the next session if a
     * right is missing and {@link #waitsForRight}.
     */
    void refused(TransferKey key, Refusal refusal);

    /** Whether a transfer that the next store refuses with {@code NOT_ALLOWED} waits here until that right is granted. */
    default boolean waitsForRight(TransferKey key) {
        return false;
    }

    /**
     * A disk of the next store has damaged this fragment of a committed transfer. A store that still has a good copy offers the transfer
     * again.
     */
    void damagedDownstream(TransferKey key, long index);

    /**
     * Transfers that, as far as this store knows, the next store has committed, and on which this store relies. In each session the sender
     * asks the next store whether it still has them.
     *
     * @param receiver the next store's node; null if that is not known
     */
    default List<TransferKey> toCheck(@Nullable NodeId receiver) {
        return List.of();
    }

    /**
     * The answer about the transfers of {@link #toCheck}. The store offers again what it can before this returns.
     *
     * @param absent transfers without a commit at the next store
     * @param finished transfers that are finished there
     */
    default void checked(Set<TransferKey> absent, Set<TransferKey> finished) {}

    /** Whether a transfer follows, by Order by path, one of those that {@link #toCheck} names. */
    default boolean followsUnchecked(TransferKey key) {
        return false;
    }

    /** Transfers at the next store that are to be cancelled, and of which final receipts have yet to come; sent at the start of each session. */
    default List<HopMessage.Recall> recalls() {
        return List.of();
    }

    /** The next store has cancelled the transfer. */
    void cancelled(TransferKey key);
}
