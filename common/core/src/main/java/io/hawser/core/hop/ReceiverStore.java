package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The durable store behind a {@link HopReceiver}: the broker's log, agent-b's landing area, an application's inbox.
 *
 * <p>Each callback means <em>durable</em>: stable storage has it, and no earlier force on that file failed. A store that
 * cannot do what it is asked answers with a refusal; after a failed write or force it refuses everything from then on.
 * Callbacks are made on the loop that owns the receiver, never inside the call that asked, in any order.
 *
 * <p>Thread: the receiver's loop.
 */
public interface ReceiverStore {
    /** Why this sender may not begin that transfer; null if it may. Asked before anything is kept for it. */
    default @Nullable Refusal whyNot(Manifest manifest) {
        return null;
    }

    /** What is durably known of {@code key}, including how it stands with anything that this store is still writing. */
    void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done);

    /** The same as far as it is durable, for a question alone: nothing is begun or made ready for the transfer. */
    default void state(TransferKey key, Outcome.Callback<StoredTransfer.State> done) {
        lookup(key, outcome -> {
            Refusal refusal = outcome.refusal();
            done.accept(refusal == null ? Outcome.of(outcome.get().state()) : new Outcome<>(null, refusal));
        });
    }

    /** Begins a transfer. Idempotent. The answer may be a refusal (space, rights, name). Fragments may follow before the answer. */
    void open(Manifest manifest, Outcome.Callback<Manifest> done);

    /**
     * Stores a fragment of a transfer that was opened. The store retains the buffer for as long as it needs it. Idempotent.
     */
    void fragment(Fragment fragment, Outcome.Callback<Fragment> done);

    /**
     * Commits: called when the transfer is open and every fragment durable. Answers with the delivery set: at the broker the subscriptions that
     * will get it, at an edge its own name. {@link ErrorCode#DIGEST_MISMATCH} if the fragments do not make the digest.
     */
    void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done);

    /** Stores a whole transfer of at most one fragment in one step: open, fragment (length 0 for an empty object), commit. Idempotent. */
    void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done);

    /**
     * Drops a transfer that is not committed. Answers with the key, or is refused if it is committed. Idempotent. It may be another
     * publisher's than the sender's: refused unless the sender has the right to.
     */
    void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done);

    /** The sender has that receipt of {@code subscription}; a final one need not be kept any longer. */
    void receiptAcked(TransferKey key, String subscription, ReceiptStatus status);

    /** The sender has spoken of another publisher's transfer, in a message of that kind. It was refused. */
    default void notItsOwn(TransferKey key, String message) {}
}
