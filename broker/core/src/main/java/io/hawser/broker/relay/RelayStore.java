package io.hawser.broker.relay;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.SpaceAnswer;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The relay's durable store: a log that is the truth, and an index over it that answers questions. Appends become durable in
 * the order in which they were made. A query answers for every append whose callback was made before the query was; it may
 * or may not show later ones.
 *
 * <p>Callbacks come on the relay's loop, never inside the call that asked. An append's value is the record's sequence number,
 * ascending from 1 over the log's lifetime.
 *
 * <p>Thread: the relay's loop.
 */
public interface RelayStore {
    /** Appends a record; calls back when it is durable. */
    void append(RelayRecord record, Outcome.Callback<Long> durable);

    /** Appends a fragment; calls back when it is durable. Retains the buffer until it has written it. */
    void appendFragment(Fragment fragment, Outcome.Callback<Long> durable);

    /** Appends a whole transfer of at most one fragment as one record: opened, its fragment, committed. */
    void appendSmall(
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            List<String> deliverySet,
            Outcome.Callback<Long> durable);

    /**
     * Reads a fragment into memory and checks it. The callback owns one reference of the buffer. Refused with
     * {@code NOT_FOUND} or, where the record is damaged, {@code STORAGE_FAILED}.
     */
    void read(TransferKey key, long index, Outcome.Callback<Fragment> done);

    /**
     * Asks whether a transfer may begin, and reserves its size if it is known. For a transfer of unknown size the question is asked again for each
     * fragment by {@link #admitFragment}.
     *
     * @param isWaitedFor whether others that have begun here cannot end before it: then their number does not count
     */
    SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor);

    /**
     * Asks whether a further fragment, or more, of a transfer of unknown size may come; or whether one that waits for others would fit now.
     *
     * @param heldBytes what is kept of the transfer already, at most
     * @param length the length of what is to come, in bytes
     */
    SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length);

    /**
     * Whether the transfer would have room if nothing else were kept here, as far as the quotas and the disk are known now. One that would
     * not must not hold back others.
     */
    boolean fitsAlone(Manifest manifest);

    /** The quotas that the transfer is charged to, by name, besides the node's own room. */
    Set<String> quotas(Manifest manifest);

    /** What is known of {@code key}: for a publisher's OPEN. */
    void lookup(TransferKey key, Outcome.Callback<Lookup> done);

    /** Committed transfers that {@code subscription} is owed, by ascending commit sequence, after {@code afterSequence}. */
    void owed(String subscription, long afterSequence, int limit, Outcome.Callback<List<KeptTransfer>> done);

    /**
     * Transfers that {@code subscription} is owed and that were committed before {@code committedBeforeMillis}, by ascending commit
     * sequence: for its deadline. Cancelled ones are not among them.
     */
    void overdue(String subscription, long committedBeforeMillis, int limit, Outcome.Callback<List<TransferKey>> done);

    /** Receipts that {@code publisher} has not acknowledged, by ascending sequence, after {@code afterSequence}. */
    void receipts(NodeId publisher, long afterSequence, int limit, Outcome.Callback<List<KeptReceipt>> done);

    /**
     * Transfers that all consumers have, and of which that of {@code subscription} has not said how they ended; those that have not changed
     * for longest first.
     */
    void awaitingWord(String subscription, int limit, Outcome.Callback<List<TransferKey>> done);

    /**
     * Publishers for which the end of a subscription, or of a wait for one, has made receipts since this was asked last. The answer comes
     * when the index has applied the appends that it covers.
     */
    void receiptsMade(Outcome.Callback<Set<NodeId>> done);

    /** Transfers that are open and were last written to before {@code epochMillis}: for expiry. */
    void openSince(long epochMillis, int limit, Outcome.Callback<List<TransferKey>> done);

    /** Open transfers of unknown size of which bytes are kept in {@code space}, in no order. */
    void openWithUnknownSize(String space, int limit, Outcome.Callback<List<TransferKey>> done);

    /**
     * Transfers that were committed before {@code epochMillis} and that no subscription has come for: for expiry.
     *
     * @param onlyReplies whether only those count that were sent to topics of replies
     */
    void unclaimedSince(long epochMillis, boolean onlyReplies, int limit, Outcome.Callback<List<TransferKey>> done);

    /** All subscriptions; asked once at the start. */
    void subscriptions(Outcome.Callback<List<SubscriptionSpec>> done);

    /**
     * The answer to a lookup.
     *
     * @param state how far the transfer got; {@code GONE} while its tombstone is kept
     * @param transfer what is kept of it; null if absent or gone
     */
    record Lookup(StoredTransfer.State state, @Nullable KeptTransfer transfer) {}

    /**
     * A kept receipt.
     *
     * @param receipt the receipt
     * @param sequence its record's sequence number; of a receipt that the end of a subscription or of a wait for one made, that
     *     of the transfer's commit. Two receipts of one transfer may share it.
     */
    record KeptReceipt(Receipt receipt, long sequence) {}
}
