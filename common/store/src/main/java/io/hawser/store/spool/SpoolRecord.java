package io.hawser.store.spool;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.JournalRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal holds. The spool's state is the fold of these in their order; each is idempotent, so that live ones can be
 * written again after the others before an old segment is deleted. See {@link SpoolTransfer#apply}.
 */
sealed interface SpoolRecord extends JournalRecord {
    /** A transfer begins. Its bytes lie in a file of the spool, or in {@code source}. */
    record Opened(Manifest manifest, @Nullable SourceFingerprint source) implements SpoolRecord {
        @Override
        public TransferKey key() {
            return manifest.key();
        }
    }

    /** A whole small transfer, of at most 64 KiB; its bytes are the record's payload. */
    record Small(Manifest manifest, Commit commit) implements SpoolRecord {
        @Override
        public TransferKey key() {
            return manifest.key();
        }
    }

    /** A transfer is complete. */
    record Committed(TransferKey key, Commit commit) implements SpoolRecord {}

    /** An upload broke off. */
    record Suspended(TransferKey key, long epochMillis, String reason) implements SpoolRecord {}

    /** An upload that had broken off resumes. */
    record Resumed(TransferKey key) implements SpoolRecord {}

    /**
     * A transfer is dropped; the next hop has still to say that it dropped it too.
     *
     * @param inDoubt whether it is to be {@link Recalled} if the next hop has committed it before
     */
    record Cancelled(TransferKey key, Refusal refusal, boolean inDoubt) implements SpoolRecord {}

    /** The next hop has committed a transfer. */
    record Brokered(TransferKey key, List<String> deliverySet) implements SpoolRecord {}

    /** The next hop had committed a transfer and does not have it any more: it is offered again. */
    record Lost(TransferKey key) implements SpoolRecord {}

    /** A transfer that the next hop has committed is to be cancelled wherever it is not delivered; receipts say what came of it. */
    record Recalled(TransferKey key, String reason) implements SpoolRecord {}

    /**
     * An operator holds a transfer, or no longer does, or gives it a priority; the last one counts until the next hop has the transfer.
     *
     * @param priority 1 (last) to 9 (first)
     */
    record Steered(TransferKey key, boolean held, int priority) implements SpoolRecord {}

    /** A receipt came. */
    record Receipted(TransferKey key, Receipt receipt) implements SpoolRecord {}

    /** The next hop refuses a transfer for good. */
    record Refused(TransferKey key, Refusal refusal) implements SpoolRecord {}

    /** Nothing more is to be known of a transfer. */
    record Ended(TransferKey key) implements SpoolRecord {}

    /** The last awaited receipt came, which is {@code last}: nothing more is to be known of a transfer. */
    record Settled(TransferKey key, Receipt last) implements SpoolRecord {}

    /** No later number is lower than or equal to this one. */
    record HighWater(long number) implements SpoolRecord {
        @Override
        public @Nullable TransferKey key() {
            return null;
        }
    }
}
