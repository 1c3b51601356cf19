package io.hawser.broker.relay;

import io.hawser.core.hop.CommitSendGate;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderStore;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A subscription with one consumer: one hop sender gets all its transfers.
 *
 * <p>Thread: the relay's loop.
 */
final class SingleConsumerSubscription extends SubscriptionFeed implements SenderStore {
    private static final Refusal LOST = ConsumerReconciliation.lost("its consumer");

    private final HopSender sender;
    private final ConsumerReconciliation reconciliation;
    /** Committed transfers that the sender has and has not finished, each with how long its fragments are; others in it are still coming in. */
    private final Map<TransferKey, Long> fed = new HashMap<>();
    /** Transfers that the consumer has been told to drop: it may have them by now, and says so. */
    private final Map<TransferKey, PendingDrop> givingUp = new HashMap<>();

    /** Transfers that are being cancelled and that the consumer may have heard of; they are no longer sent. */
    private final Set<TransferKey> stopped = new HashSet<>();
    /** The lowest number of the commit of a cancelled transfer that the consumer of this session was asked about. */
    private long firstRecall = Long.MAX_VALUE;
    /** Some wait until the consumer reads what it was asked. */
    private boolean recallsWait;

    private @Nullable HopLink link;
    private @Nullable NodeId consumer;

    SingleConsumerSubscription(Relay relay, RelayStore store, RelayLimits limits, SubscriptionSpec spec) {
        super(relay, store, limits, spec);
        this.sender = new HopSender(limits.hop(), this, CommitSendGate.OPEN, relay.sent());
        this.reconciliation = new ConsumerReconciliation(
                sender, done -> store.awaitingWord(spec().name(), ConsumerReconciliation.MAX_CHECKED, done));
    }

    @Override
    HopSender sender(TransferKey key) {
        return sender;
    }

    HopSender sender() {
        return sender;
    }

    @Override
    void stages(int most, BiConsumer<TransferKey, WaitStage> visitor) {
        sender.stages(most, visitor);
    }

    @Override
    long longestIdleMillis() {
        return sender.longestIdleMillis();
    }

    @Override
    Optional<HopSender.Stopped> longestStopped() {
        return sender.longestStopped();
    }

    @Override
    boolean connected() {
        return link != null;
    }

    @Override
    boolean isLink(HopLink other) {
        return link == other;
    }

    @Override
    HopSender connect(NodeId node, HopLink newLink) {
        if (link != null) {
            disconnect(link);
        }
        link = newLink;
        consumer = node;
        sender.linkUp(newLink);
        reconciliation.linkUp(newLink);
        loadMore();
        return sender;
    }

    @Override
    void disconnect(HopLink gone) {
        link = null;
        fallBehind();
        sender.linkDown();
        reconciliation.linkDown();
        givingUp.values().removeIf(each -> !each.isByOperator()); // they are still overdue
        if (firstRecall < Long.MAX_VALUE) {
            rewind(firstRecall - 1);
            firstRecall = Long.MAX_VALUE;
        }
    }

    @Override
    void tickSenders(long nowNanos) {
        sender.tick(nowNanos);
        reconciliation.tick(nowNanos);
    }

    // --- the feed
    @Override
    void offerLive(LiveTransfer transfer, boolean fresh) {
        sender.offer(transfer.manifest, 0, fresh);
        for (FragmentRange run : transfer.durable.runs()) {
            sender.available(transfer.manifest.key(), run, null);
        }
    }

    @Override
    void forward(Fragment fragment) {
        sender.forward(fragment);
    }

    @Override
    void durable(TransferKey key, long index) {
        sender.available(key, new FragmentRange(index, index + 1), null);
    }

    @Override
    void feed(Manifest manifest, Commit commit, long sequence, @Nullable Fragment small) {
        // A large transfer that was not offered while it was coming in is announced with RESUME, in case an earlier
        // run of the broker offered it.
        sender.offer(manifest, 0, small != null);
        fed.put(manifest.key(), fragmentBytes(manifest, commit));
        sender.commit(manifest.key(), commit, sequence, small);
    }

    @Override
    void feed(KeptTransfer kept, Commit commit) {
        feed(kept.manifest(), commit, kept.commitSequence(), null);
    }

    @Override
    long fragmentBytes(TransferKey key) {
        return fed.getOrDefault(key, FULL_FRAGMENT_BYTES);
    }

    @Override
    int fed() {
        return fed.size();
    }

    @Override
    int size() {
        return sender.size();
    }

    @Override
    long memoryBytes() {
        return sender.memoryBytes();
    }

    @Override
    void cancelled(TransferKey key, String reason) {
        sender.cancel(key, reason);
    }

    @Override
    void forgotten(TransferKey key) {
        sender.withdraw(key);
    }

    // --- the deadline
    /**
     * A consumer that is here and may have something of it is asked first: what it has already whole is kept. One that is
     * away learns of it when it comes back.
     */
    @Override
    void giveUp(PendingDrop pending) {
        TransferKey key = pending.receipt.key();
        if (isSettling(key)) {
            pending.kept(BEING_SETTLED);
            return;
        }
        if (link == null || !sender.has(key)) {
            PendingDrop earlier = givingUp.remove(key);
            if (earlier != null) {
                pending.join(earlier);
            }
            sender.cancel(key, pending.receipt.reason());
            expire(pending);
            return;
        }
        pending.asked();
        PendingDrop earlier = givingUp.putIfAbsent(key, pending);
        if (earlier != null) {
            earlier.join(pending);
            return;
        }
        sender.cancel(key, pending.receipt.reason());
    }

    @Override
    void recall(KeptTransfer kept, String reason) {
        TransferKey key = kept.manifest().key();
        stop(key, reason);
        boolean mayHaveHeard = stopped.remove(key);
        HopLink current = link;
        if (isUnfed(kept) && !mayHaveHeard) {
            keepFinal(cancelledReceipt(key, reason), () -> {});
        } else if (current == null || current.isBackedUp()) {
            recallsWait = true;
            rewind(kept.commitSequence() - 1);
        } else {
            firstRecall = Math.min(firstRecall, kept.commitSequence());
            sender.recall(key, reason);
        }
        loadMore();
    }

    @Override
    void stop(TransferKey key, String reason) {
        keeps(key, IS_CANCELLED);
        fed.remove(key);
        if (!sender.isUnannounced(key)) {
            stopped.add(key);
        }
        sender.abandon(key);
    }

    @Override
    boolean hold(TransferKey key) {
        return !isSettling(key) && (!sender.has(key) || sender.hold(key));
    }

    @Override
    void release(TransferKey key) {
        sender.release(key);
    }

    @Override
    void prioritise(TransferKey key, int priority) {
        sender.prioritise(key, priority);
    }

    @Override
    int heldTransfers() {
        return sender.heldTransfers();
    }

    @Override
    boolean mayAskForMore() {
        HopLink current = link;
        recallsWait &= current == null || current.isBackedUp();
        return !recallsWait;
    }

    private void expire(PendingDrop pending) {
        fed.remove(pending.receipt.key());
        keepFinal(pending.receipt, pending::expired);
        loadMore();
    }

    private void keeps(TransferKey key, String reason) {
        PendingDrop pending = givingUp.remove(key);
        if (pending != null) {
            pending.kept(reason);
        }
    }

    /** It had committed them, which was settled then. Nobody has their bytes any more. */
    @Override
    public void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        absent.forEach(key -> relay.receipts().keepFailure(key, spec().name(), LOST));
    }

    // --- what the sender says
    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        read(key, index, done);
    }

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {
        // The consumer's RESUME is the truth about its fragments; nothing is kept of it here.
    }

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        keeps(key, HAS_ALL);
        if (fed.containsKey(key)) {
            awaitsReceipt(key);
            hasIt(key);
        }
    }

    private void hasIt(TransferKey key) {
        fed.remove(key);
        settle(key);
        loadMore();
    }

    @Override
    public boolean takesEarlyNews() {
        return spec().ackLevel() == AckLevel.CONSUMED;
    }

    @Override
    public long mostEarlyReceiptBytes() {
        return relay.subscriptions().earlyReceiptsOfEachBytes();
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        NodeId from = consumer;
        if (from != null) {
            checkReceipt(from, receipt, fed.containsKey(receipt.key()), () -> take(receipt, durable), durable);
        }
    }

    private void take(Receipt receipt, Runnable durable) {
        Receipt own =
                new Receipt(receipt.key(), spec().name(), receipt.status(), receipt.reason(), receipt.epochMillis());
        if (receipt.status().isFinal()) {
            keeps(receipt.key(), HAS_ENDED);
            keepFinal(own, durable);
        } else {
            relay.receipts().keep(own, durable);
        }
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {
        switch (refusal.code()) {
            // The consumer has finished it before: its receipt is here already.
            case ID_USED -> {
                keeps(key, HAS_ALL);
                if (fed.containsKey(key)) { // else it still comes in, and is offered again when it is committed
                    awaitsReceipt(key);
                    hasIt(key);
                }
            }
            case CANCELLED -> {
                PendingDrop pending = givingUp.remove(key);
                if (pending != null) {
                    expire(pending);
                } else if (fed.containsKey(key)) {
                    // Else it is not owed; if it is, it will be fed and is asked about again.
                    expire(PendingDrop.overdue(lateBefore(key)));
                }
            }
            default -> {
                if (!refusal.code().retriable()) {
                    keeps(key, "its consumer refused it: " + refusal.detail());
                    fed.remove(key);
                    relay.receipts().keepFailure(key, spec().name(), refusal);
                    loadMore();
                }
            }
        }
    }

    @Override
    public void damagedDownstream(TransferKey key, long index) {
        // A consumer checks what it has stored before it commits; there is nothing to repair after that.
    }

    @Override
    public void cancelled(TransferKey key) {
        PendingDrop pending = givingUp.remove(key);
        if (pending != null) {
            expire(pending);
        } else if (fed.containsKey(key)) {
            // It was told in a session before, and came back without the deadline: nothing else would end it.
            expire(PendingDrop.overdue(lateBefore(key)));
        } else {
            loadMore();
        }
    }
}
