package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The durable store that a {@link HopReceiver} writes to: the broker's log, agent-b's landing area, an application's inbox.
 *
 * <p>Each callback means <em>durable</em>: it is on stable storage, and no earlier force on that file failed. A store that cannot fulfil a
 * request refuses it; after a failed write or force it refuses every request. Callbacks run on the receiver's loop, never inside the call
 * that asked, in any order.
 *
 * <p>Thread: the receiver's loop.
 */
public interface ReceiverStore {
    /** Why this sender may not begin that transfer; null if it may. Called before any memory is used for it. */
    default @Nullable Refusal whyNot(Manifest manifest) {
        return null;
    }

    /** The state of {@code key} after everything that this store is still writing. */
    void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done);

    /** The durable state of {@code key}. Prepares nothing for receiving it. */
    default void state(TransferKey key, Outcome.Callback<StoredTransfer.State> done) {
        lookup(key, outcome -> done.accept(outcome.map(StoredTransfer::state)));
    }

    /** Begins a transfer. Idempotent. May be refused (space, rights, name). Fragments may follow before the answer. */
    void open(Manifest manifest, Outcome.Callback<Manifest> done);

    /**
     * Stores a fragment of an open transfer. The store retains the buffer for as long as it needs it. Idempotent.
     */
    void fragment(Fragment fragment, Outcome.Callback<Fragment> done);

    /**
     * Commits an open transfer all of whose fragments are durable. Answers with the delivery set: at the broker the subscriptions that will
     * get it, at an edge its own name. {@link ErrorCode#DIGEST_MISMATCH} if the fragments do not have the digest.
     */
    void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done);

    /** Stores a whole transfer of at most one fragment in one step: open, fragment (length 0 for an empty object), commit. Idempotent. */
    void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done);

    /**
     * Drops a transfer that is not committed. Answers with the key; refused if the transfer is committed. Idempotent. It may be another
     * publisher's: refused unless the sender has the right.
     */
    void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done);

    /**
     * Drops the sender's transfer also if it is committed, unless it is delivered. The receipts say what becomes of it; a transfer that is not
     * committed may end without one. Idempotent.
     */
    void recall(TransferKey key, String reason);

    /** The sender has that receipt of {@code subscription}; a final one may be deleted. */
    void receiptAcked(TransferKey key, String subscription, ReceiptStatus status);

    /** How far {@code key} is at each of its far ends; empty where there are none. May answer inside the call. */
    default void farEnds(TransferKey key, Outcome.Callback<List<FarEndProgress>> done) {
        done.accept(Outcome.of(List.of()));
    }

    /** The sender's message of that kind named another publisher's transfer, and was refused. */
    default void foreignTransfer(TransferKey key, String message) {}
}
