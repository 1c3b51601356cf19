package io.hawser.common.relay;

import io.hawser.common.hop.Fragment;
import io.hawser.common.hop.HopLink;
import io.hawser.common.hop.HopSender;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.hop.SenderStore;
import io.hawser.common.model.Commit;
import io.hawser.common.model.FragmentRange;
import io.hawser.common.model.FragmentRanges;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.SubscriptionSpec;
import io.hawser.common.model.TransferKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The relay's end of one subscription: its hop sender, and the feed that fills it. While the consumer keeps up, transfers come
 * straight from the publishers; when it is absent or slow, it is <em>behind</em> and is fed from the store, a page at a time,
 * in commit order.
 *
 * <p>Thread: the relay's loop.
 */
final class SubscriptionEnd implements SenderStore {
    private final Relay relay;
    private final RelayStore store;
    private final RelayLimits limits;
    private final HopSender sender;
    /** Committed transfers that the sender has and has not finished; others in it are still coming in. */
    private final Set<TransferKey> fed = new HashSet<>();
    /** Transfers whose settlement is being made durable: the store may still call them owed. */
    private final Set<TransferKey> settling = new HashSet<>();
    /** Settlements that became durable while a page was being read, which may show them or not. */
    private final Set<TransferKey> settledMeanwhile = new HashSet<>();

    /** Overdue transfers that the consumer has been told to drop: it may have them by now, and says so. */
    private final Map<TransferKey, Receipt> givingUp = new HashMap<>();

    private final Deadline deadline;

    private SubscriptionSpec spec;
    private @Nullable HopLink link;
    private long idleSinceMillis;
    private boolean ready;
    private boolean behind = true;
    private boolean loading;
    /** Everything that is owed and was committed up to here has been given to the sender. */
    private long cursor;
    /** The last commit that this subscription is owed. */
    private long lastCommit;

    SubscriptionEnd(Relay relay, RelayStore store, RelayLimits limits, SubscriptionSpec spec) {
        this.relay = relay;
        this.store = store;
        this.limits = limits;
        this.spec = spec;
        this.sender = new HopSender(limits.hop(), this);
        this.deadline = new Deadline(store, limits, this::giveUp);
    }

    SubscriptionSpec spec() {
        return spec;
    }

    void spec(SubscriptionSpec newSpec) {
        spec = newSpec;
    }

    HopSender sender() {
        return sender;
    }

    boolean connected() {
        return link != null;
    }

    /** The consumer was last here at that time, or this relay started then. */
    void idleSince(long steadyMillis) {
        idleSinceMillis = steadyMillis;
    }

    long idleMillis(long nowMillis) {
        return link != null ? 0 : Math.max(0, nowMillis - idleSinceMillis);
    }

    boolean isLink(HopLink other) {
        return link == other;
    }

    /** The subscription's record is durable: it may be fed. */
    void ready() {
        ready = true;
        loadMore();
    }

    boolean isReady() {
        return ready;
    }

    void connect(HopLink newLink) {
        if (link != null) {
            disconnect();
        }
        link = newLink;
        sender.linkUp(newLink);
        loadMore();
    }

    void disconnect() {
        link = null;
        behind = true;
        sender.linkDown();
        givingUp.clear(); // they are still overdue
    }

    void tick(long nowNanos, long nowMillis) {
        sender.tick(nowNanos);
        loadMore();
        if (ready) {
            deadline.tick(spec, nowMillis);
        }
    }

    // --- the live feed
    /** A publisher has begun a transfer, or goes on with it. */
    void opened(LiveTransfer transfer) {
        if (keepsUp()) {
            offerLive(transfer);
        }
    }

    private void offerLive(LiveTransfer transfer) {
        sender.offer(transfer.manifest, 0, transfer.fresh);
        for (FragmentRange run : transfer.durable.runs()) {
            sender.available(transfer.manifest.key(), run, null);
        }
    }

    void forward(Fragment fragment) {
        sender.forward(fragment);
    }

    void durable(TransferKey key, long index) {
        sender.available(key, new FragmentRange(index, index + 1), null);
    }

    /** A transfer that this subscription is owed is committed and durable. {@code small}, if given, has its bytes; borrowed. */
    void committed(Manifest manifest, Commit commit, long sequence, @Nullable Fragment small) {
        lastCommit = sequence;
        if (keepsUp()) {
            // A large transfer that was not offered while it was coming in is announced with RESUME, in case an earlier
            // life did.
            sender.offer(manifest, 0, small != null);
            cursor = sequence;
            fed.add(manifest.key());
            sender.commit(manifest.key(), commit, sequence, small);
        } else {
            // Also where the sender has it already: an earlier one of the same path may still be in the store alone.
            behind = true;
        }
    }

    void cancelled(TransferKey key, String reason) {
        sender.cancel(key, reason);
    }

    /** What was here of a transfer that still came in is gone; it may be offered again. */
    void forgotten(TransferKey key) {
        sender.withdraw(key);
    }

    private boolean keepsUp() {
        return link != null && !behind && sender.size() < limits.transfersPerSubscription();
    }

    // --- the feed from the store
    private void loadMore() {
        if (!ready || link == null || !behind || loading || fed.size() > limits.transfersPerSubscription() / 2) {
            return;
        }
        loading = true;
        long lastCommitWhenAsked = lastCommit;
        store.owed(spec.name(), cursor, limits.page(), outcome -> onPage(lastCommitWhenAsked, outcome));
    }

    private void onPage(long lastCommitWhenAsked, Outcome<List<KeptTransfer>> outcome) {
        loading = false;
        if (outcome.isRefused()) {
            return; // the store has failed; the node is stopping
        }
        for (KeptTransfer kept : outcome.get()) {
            Commit commit = kept.commit();
            cursor = Math.max(cursor, kept.commitSequence());
            if (commit != null && !settling.contains(kept.manifest().key())) {
                sender.offer(kept.manifest(), 0, false);
                fed.add(kept.manifest().key());
                sender.commit(kept.manifest().key(), commit, kept.commitSequence(), null);
            }
        }
        settling.removeAll(settledMeanwhile);
        settledMeanwhile.clear();
        boolean all = outcome.get().size() < limits.page() && lastCommit == lastCommitWhenAsked;
        if (!all) {
            loadMore();
        } else if (link != null) {
            cursor = Math.max(cursor, lastCommit);
            behind = false;
            relay.liveTransfers(spec.topic()).forEach(this::offerLive);
        }
    }

    // --- the deadline
    /**
     * A consumer that is here and may have something of it is asked first: where it has all of it already, that stands. One that is
     * away is told when it comes back.
     */
    private void giveUp(Receipt expired) {
        TransferKey key = expired.key();
        if (settling.contains(key)) {
            return;
        }
        boolean asks = link != null && sender.has(key);
        if (asks && givingUp.putIfAbsent(key, expired) != null) {
            return;
        }
        sender.cancel(key, expired.reason());
        if (!asks) {
            expire(expired);
        }
    }

    private void expire(Receipt expired) {
        fed.remove(expired.key());
        keepFinal(expired, () -> {});
        loadMore();
    }

    /** A final receipt settles. */
    private void keepFinal(Receipt receipt, Runnable durable) {
        boolean settles = settling.add(receipt.key());
        relay.keepReceipt(receipt, () -> {
            if (settles) {
                settled(receipt.key());
            }
            durable.run();
        });
    }

    // --- what the sender says
    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        store.read(key, index, outcome -> {
            if (outcome.isRefused()) {
                relay.damaged(key, index, outcome.refusal());
            }
            done.accept(outcome);
        });
    }

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {
        // The consumer's RESUME is the truth about its fragments; nothing is kept of it here.
    }

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        givingUp.remove(key);
        settle(key);
    }

    private void settle(TransferKey key) {
        fed.remove(key);
        if (settling.add(key)) {
            store.append(new RelayRecord.Settled(key, spec.name()), outcome -> settled(key));
        }
        loadMore();
    }

    private void settled(TransferKey key) {
        if (loading) {
            settledMeanwhile.add(key);
        } else {
            settling.remove(key);
        }
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        Receipt own =
                new Receipt(receipt.key(), spec.name(), receipt.status(), receipt.reason(), receipt.epochMillis());
        if (receipt.status().isFinal()) {
            givingUp.remove(receipt.key());
            keepFinal(own, durable);
        } else {
            relay.keepReceipt(own, durable);
        }
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {
        if (!refusal.code().retriable()) {
            givingUp.remove(key);
        }
        switch (refusal.code()) {
            // The consumer has finished it before: its receipt is here already.
            case ID_USED -> settle(key);
            default -> {
                if (!refusal.code().retriable()) {
                    fed.remove(key);
                    relay.keepFailure(key, spec.name(), refusal);
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
        Receipt expired = givingUp.remove(key);
        if (expired != null) {
            expire(expired);
            return;
        }
        fed.remove(key);
        loadMore();
    }
}
