package io.hawser.broker.relay;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a subscription's hop senders with the transfers that it is owed. While the consumer keeps up, transfers come straight from
 * the publishers; when it is absent or slow, it is <em>behind</em> and is fed from the store, a page at a time, in commit order.
 * {@link SingleConsumerSubscription} and {@link GroupSubscription} choose the sender.
 *
 * <p>Thread: the relay's loop.
 */
abstract sealed class SubscriptionFeed permits SingleConsumerSubscription, GroupSubscription {
    /** What any read costs. */
    private static final long LEAST_READ_BYTES = 4096;

    static final long FULL_FRAGMENT_BYTES = Manifest.DEFAULT_FRAGMENT_SIZE_BYTES;

    final Relay relay;
    final RelayStore store;
    final RelayLimits limits;
    /** Transfers whose settlement is being made durable: the store may still call them owed. */
    private final Set<TransferKey> settling = new HashSet<>();
    /** Settlements that became durable while a page was being read, which may show them or not. */
    private final Set<TransferKey> settledMeanwhile = new HashSet<>();

    private final DeadlineExpirer deadline;
    private final ReceiptAuthorizer receipts;

    private SubscriptionSpec spec;
    private long idleSinceMillis;
    private boolean ready;
    private boolean removed;
    private boolean behind = true;
    private boolean loading;
    /** A page is being fed. */
    private boolean paging;
    /** Everything that is owed and was committed up to here has been fed. */
    private long cursor;
    /** The last commit that this subscription is owed. */
    private long lastCommit;
    /** The first commit of this run that it is owed; 0 if there was none. */
    private long firstCommit;
    /** No COMMIT of this run has left for a consumer of a transfer with a higher number. */
    private long fedUpTo;
    /** From after that number what is owed is read again; {@link Long#MAX_VALUE} if it is not. */
    private long rewindTo = Long.MAX_VALUE;

    SubscriptionFeed(Relay relay, RelayStore store, RelayLimits limits, SubscriptionSpec spec) {
        this.relay = relay;
        this.store = store;
        this.receipts = new ReceiptAuthorizer(store);
        this.limits = limits;
        this.spec = spec;
        this.deadline = new DeadlineExpirer(store, limits, late -> giveUp(PendingDrop.overdue(late)));
    }

    final SubscriptionSpec spec() {
        return spec;
    }

    final void spec(SubscriptionSpec newSpec) {
        spec = newSpec;
    }

    /** The consumer was last here at that time, or this relay started then. */
    final void idleSince(long steadyMillis) {
        idleSinceMillis = steadyMillis;
    }

    final long idleMillis(long nowMillis) {
        return connected() ? 0 : Math.max(0, nowMillis - idleSinceMillis);
    }

    /** The subscription's record is durable: it may be fed. */
    final void ready() {
        ready = !removed;
        loadMore();
    }

    /** The subscription is being removed: nothing more is read for it. */
    final void remove() {
        removed = true;
        ready = false;
    }

    final boolean isReady() {
        return ready;
    }

    // --- connected consumers
    /** Whether there is a consumer. */
    abstract boolean connected();

    /** Whether it is one of its sessions that the link belongs to. */
    abstract boolean isLink(HopLink link);

    /** A consumer's session is up: what feeds it. */
    abstract HopSender connect(NodeId node, HopLink link);

    /** A consumer's session is over. */
    abstract void disconnect(HopLink link);

    /** The hop that sends, or would send, that transfer; null if none is chosen. */
    abstract @Nullable HopSender sender(TransferKey key);

    /** Where each of at most {@code most} transfers of each sender waits now. */
    abstract void stages(int most, BiConsumer<TransferKey, WaitStage> visitor);

    /** The longest that something has not come forward. */
    abstract long longestIdleMillis();

    /** Of what it is being sent the transfer that has been stopped for longest; empty if there is none. */
    abstract Optional<HopSender.Stopped> longestStopped();

    /** No consumer is left: from here on it is fed from the store. */
    final void fallBehind() {
        behind = true;
    }

    final boolean isBehind() {
        return behind;
    }

    final void tick(long nowNanos, long nowMillis) {
        tickSenders(nowNanos);
        loadMore();
        if (ready) {
            deadline.tick(spec, nowMillis);
        }
    }

    abstract void tickSenders(long nowNanos);

    // --- the live feed
    /** A publisher has begun or resumed a transfer. */
    final void opened(LiveTransfer transfer) {
        if (keepsUp()) {
            offerLive(transfer, transfer.fresh);
        }
    }

    /** {@code fresh} says that no consumer can have heard of it. */
    abstract void offerLive(LiveTransfer transfer, boolean fresh);

    /** A fragment has been verified and is being made durable. */
    abstract void forward(Fragment fragment);

    abstract void durable(TransferKey key, long index);

    /** A transfer that this subscription is owed is committed and durable. {@code small}, if given, has its bytes; borrowed. */
    final void committed(Manifest manifest, Commit commit, long sequence, @Nullable Fragment small) {
        lastCommit = sequence;
        firstCommit = firstCommit == 0 ? sequence : firstCommit;
        if (keepsUp()) {
            cursor = sequence;
            fedUpTo = Math.max(fedUpTo, sequence);
            feed(manifest, commit, sequence, small);
        } else {
            // Also where it is on its way already: an earlier one of the same path may still be in the store alone.
            behind = true;
        }
    }

    /** It is owed that one, which is the next by its commit. {@code small} is given if it has just come in. */
    abstract void feed(Manifest manifest, Commit commit, long sequence, @Nullable Fragment small);

    /** The same from the store. */
    abstract void feed(KeptTransfer kept, Commit commit);

    /** Committed transfers that were fed and are not finished. */
    abstract int fed();

    /** Those and others that still come in. */
    abstract int size();

    /** What the descriptions of those take in memory. */
    abstract long memoryBytes();

    /** Its publisher, or a rule, has dropped it. */
    abstract void cancelled(TransferKey key, String reason);

    /** What was here of a transfer that still came in is gone; it may be offered again. */
    abstract void forgotten(TransferKey key);

    private boolean keepsUp() {
        return connected()
                && !behind
                && size() - heldTransfers() < limits.transfersPerSubscription()
                && (size() == 0 || memoryBytes() < relay.subscriptions().memoryOfEachBytes());
    }

    /** How many more may be asked of the store: one always, so that what waits moves. */
    private int page() {
        if (fed() - heldTransfers() > limits.transfersPerSubscription() / 2) {
            return 0;
        }
        long room = relay.subscriptions().memoryOfEachBytes() - memoryBytes();
        long page = Math.min(limits.page(), room / Manifest.MAX_MEMORY_BYTES);
        return page > 0 || size() > 0 ? (int) Math.max(0, page) : 1;
    }

    // --- the feed from the store
    final void loadMore() {
        int page = ready && connected() && behind && !loading && mayAskForMore() ? page() : 0;
        if (page == 0) {
            return;
        }
        loading = true;
        long lastCommitWhenAsked = lastCommit;
        store.owed(spec.name(), cursor, page, outcome -> onPage(page, lastCommitWhenAsked, outcome));
    }

    private void onPage(int page, long lastCommitWhenAsked, Outcome<List<KeptTransfer>> outcome) {
        loading = false;
        if (removed || outcome.isRefused()) {
            return; // refused: the store has failed; the node is stopping
        }
        paging = true;
        for (KeptTransfer kept : outcome.get()) {
            Commit commit = kept.commit();
            cursor = Math.max(cursor, kept.commitSequence());
            TransferKey key = kept.manifest().key();
            // A final receipt settles it: then its consumer has forgotten it, and its bytes are released here.
            if (commit == null || isSettling(key) || receipts.isEnding(key)) {
                continue;
            }
            if (kept.steering().isRecalled()) {
                recall(kept);
            } else if (!relay.recalls().isRecent(key)) { // else the page is of before
                fedUpTo = Math.max(fedUpTo, kept.commitSequence());
                feed(kept, commit);
                steer(kept);
            }
        }
        paging = false;
        settling.removeAll(settledMeanwhile);
        settledMeanwhile.clear();
        boolean all = !rewound() && outcome.get().size() < page && lastCommit == lastCommitWhenAsked;
        if (!all) {
            loadMore();
        } else if (connected()) {
            cursor = Math.max(cursor, lastCommit);
            behind = false;
            relay.liveTransfers(spec.topic()).forEach(this::opened);
        }
    }

    /** What is owed and was committed after {@code sequence} is read from the store again. */
    final void rewind(long sequence) {
        rewindTo = Math.min(rewindTo, sequence);
        behind = true;
        if (!loading && !paging) {
            rewound();
        }
    }

    private boolean rewound() {
        boolean rewinds = rewindTo < cursor;
        cursor = Math.min(cursor, rewindTo);
        rewindTo = Long.MAX_VALUE;
        return rewinds;
    }

    /** Whether the consumer is not to answer too much already. */
    boolean mayAskForMore() {
        return true;
    }

    // --- the end of a transfer
    /** It is cancelled, which is durable. Its consumer is asked, in each session until it answers, unless it cannot have it. */
    final void recall(KeptTransfer kept) {
        TransferKey key = kept.manifest().key();
        String reason = kept.steering().recall();
        if (reason != null && !settling.contains(key) && !receipts.isEnding(key)) {
            recall(kept, reason);
        }
    }

    abstract void recall(KeptTransfer kept, String reason);

    /** As it was steered before it came to be fed. */
    private void steer(KeptTransfer kept) {
        Steering steering = relay.holds().of(kept);
        TransferKey key = kept.manifest().key();
        if (steering.held()) {
            boolean unused = hold(key);
        }
        if (steering.priority() != HopSender.USUAL_PRIORITY) {
            prioritise(key, steering.priority());
        }
    }

    /** It is sent no further until it is released. False if a consumer may have all of it. */
    abstract boolean hold(TransferKey key);

    abstract void release(TransferKey key);

    abstract void prioritise(TransferKey key, int priority);

    /** How many of those that were fed are held: they keep no others from being fed. */
    abstract int heldTransfers();

    /** That it is cancelled is being made durable; then its bytes are gone. Nothing of it is sent any more. */
    abstract void stop(TransferKey key, String reason);

    /** Whether no COMMIT of it can have left for a consumer, in this run or an earlier one. */
    final boolean isUnfed(KeptTransfer kept) {
        return firstCommit != 0 && kept.commitSequence() >= Math.max(firstCommit, fedUpTo + 1);
    }

    final Receipt cancelledReceipt(TransferKey key, String reason) {
        return relay.receipts().now(key, spec.name(), ReceiptStatus.CANCELLED, reason);
    }

    static final String IS_CANCELLED = "it is being cancelled";

    /** It is overdue, or an operator drops it. */
    abstract void giveUp(PendingDrop pending);

    static final String BEING_SETTLED = "what became of it there is being made durable";
    static final String HAS_ALL = "its consumer has all of it";
    static final String HAS_ENDED = "its consumer has said how it ended";

    final boolean isSettling(TransferKey key) {
        return settling.contains(key);
    }

    /** Of one that its consumer has dropped, as it was told when it was late; the answer to that was lost. */
    final Receipt lateBefore(TransferKey key) {
        return relay.receipts()
                .now(
                        key,
                        spec.name(),
                        ReceiptStatus.EXPIRED,
                        "it had not reached subscription " + spec.name() + " within its deadline");
    }

    /** A final receipt settles. */
    final void keepFinal(Receipt receipt, Runnable durable) {
        boolean settles = settling.add(receipt.key());
        relay.receipts().keep(receipt, () -> {
            if (settles) {
                settled(receipt.key());
            }
            durable.run();
        });
    }

    /** A consumer says how a transfer ended, or how far it is: that counts if its subscription was owed it. */
    final void checkReceipt(NodeId consumer, Receipt receipt, boolean fed, Runnable take, Runnable acknowledge) {
        receipts.check(receipt, spec, fed, new ReceiptAuthorizer.Answer(take, acknowledge, () -> relay.receipts()
                .notOwed(consumer, receipt)));
    }

    /** The consumer has all of it, and will say how it ended. */
    final void awaitsReceipt(TransferKey key) {
        receipts.settled(key);
    }

    /** The consumer has it. */
    final void settle(TransferKey key) {
        if (settling.add(key)) {
            store.append(new RelayRecord.Settled(key, spec.name()), outcome -> settled(key));
        }
    }

    private void settled(TransferKey key) {
        if (loading) {
            settledMeanwhile.add(key);
        } else {
            settling.remove(key);
        }
    }

    final void read(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        int priority = spec.terms().priority();
        long bytes = Math.max(LEAST_READ_BYTES, fragmentBytes(key));
        relay.reads()
                .ask(
                        spec.name(),
                        priority,
                        bytes,
                        () -> store.read(key, index, outcome -> {
                            relay.reads().done(priority, bytes);
                            if (outcome.isRefused()) {
                                relay.damaged(key, index, outcome.refusal());
                            }
                            done.accept(outcome);
                        }));
    }

    /** How long a fragment of that transfer is, at most. */
    abstract long fragmentBytes(TransferKey key);

    /** The same of one that is committed; of another {@link #FULL_FRAGMENT_BYTES}. */
    static long fragmentBytes(Manifest manifest, Commit commit) {
        return Math.min(manifest.fragmentSizeBytes(), commit.sizeBytes());
    }
}
