package io.hawser.core.hop;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The durable store behind a {@link HopSender}: agent-a's spool, a source file, the broker's log. It loads fragments that
 * are to be sent and learns what it may forget.
 *
 * <p>Thread: the sender's loop; callbacks on it too, never inside the call that asked.
 */
public interface SenderStore {
    /** About 30,000 receipts without a reason. */
    long DEFAULT_EARLY_RECEIPT_BYTES = 8L << 20;

    /**
     * Loads one fragment into memory. The callback gets a fragment whose buffer it then owns one reference of, or a refusal
     * ({@code STORAGE_FAILED}: cannot be read or does not agree with its checksum; {@code NOT_FOUND}: no longer there).
     * If no buffer is free the store waits for one.
     */
    void load(TransferKey key, long index, Outcome.Callback<Fragment> done);

    /** The next store has these fragments durable. */
    void acked(TransferKey key, FragmentRanges ranges);

    /** The next store has the whole transfer durable and committed: this store may forget its copy. */
    void committed(TransferKey key, List<String> deliverySet);

    /**
     * Whether {@link #receipt} may be called with a receipt that is not final before its transfer is committed at the receiver. The receiver
     * of a consumer that acknowledges what it has consumed says so that this one lets it wait, and why.
     */
    default boolean takesEarlyNews() {
        return false;
    }

    /**
     * What receipts may take in memory that came before the COMMITTED of their transfers. The receiver repeats others in its next
     * session.
     */
    default long mostEarlyReceiptBytes() {
        return DEFAULT_EARLY_RECEIPT_BYTES;
    }

    /** A receipt arrived. When it is durable here (or needs no keeping), call {@code durable}: only then it is acknowledged. */
    void receipt(Receipt receipt, Runnable durable);

    /**
     * The next store refuses the transfer. If {@code refusal.code().retriable()} the sender will offer it again by itself, and if it
     * lacks a right and {@link #waitsForRight} in the next session.
     */
    void refused(TransferKey key, Refusal refusal);

    /** Whether a transfer that the next store does not take for want of a right ({@code NOT_ALLOWED}) waits here until there is one. */
    default boolean waitsForRight(TransferKey key) {
        return false;
    }

    /**
     * The next store had this fragment of a committed transfer and has lost it (its disk damaged it). A store that still has
     * a good copy offers the transfer again.
     */
    void damagedDownstream(TransferKey key, long index);

    /**
     * Transfers that the next store has committed, as far as this one knows, and that this one waits for. In each session the next store is
     * asked whether it still has them.
     *
     * @param receiver the next store's node; null if that is not known
     */
    default List<TransferKey> toCheck(@Nullable NodeId receiver) {
        return List.of();
    }

    /**
     * What {@link #toCheck} named was asked about. What can be offered again is offered before this returns.
     *
     * @param absent of which the next store does not have a commit
     * @param finished which are over there
     */
    default void checked(Set<TransferKey> absent, Set<TransferKey> finished) {}

    /** Whether a transfer follows, by Order by path, one of those that {@link #toCheck} names. */
    default boolean followsUnchecked(TransferKey key) {
        return false;
    }

    /** The next store has dropped the transfer as asked. */
    void cancelled(TransferKey key);
}
