package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The relay's side of one publisher's session: its hop receiver, and the receipts for it.
 *
 * <p>Thread: the relay's loop.
 */
public final class PublisherIntake implements ReceiverStore {
    private static final int MAX_UNACKED = 8192;
    private static final long NOT_AGAIN = -1;

    private record Sent(TransferKey key, String subscription) {}

    private final Relay relay;
    private final RelayStore store;
    private final RelayLimits limits;
    private final NodeId publisher;
    private final HopReceiver receiver;
    private final HopLink link;
    private final PublishRights rights;
    private final SenderAllowance allowance;
    /** Final receipts that this session got and has not acknowledged: an acknowledgement of any other is not recorded. */
    private final Set<Sent> unacked = new LinkedHashSet<>();
    /** More were sent than are remembered. */
    private boolean unackedForgotten;

    /** The publisher does not read its receipts: none is sent until it does. They are kept in the store. */
    private boolean behind;
    /** Up to which number those in the store were sent before it fell behind. */
    private long behindAfter;

    /** The store is being asked for kept receipts: no second question of this session waits there. */
    private boolean asking;
    /** After which number they are to be asked for once more then; {@link #NOT_AGAIN} if they are not. */
    private long askAgainAfter = NOT_AGAIN;

    private boolean gone;

    PublisherIntake(
            Relay relay,
            RelayStore store,
            RelayLimits limits,
            FragmentBufferPool pool,
            NodeId publisher,
            HopLink link,
            PublishRights rights,
            SenderAllowance allowance) {
        this.allowance = allowance;
        this.link = link;
        this.rights = rights;
        this.relay = relay;
        this.store = store;
        this.limits = limits;
        this.publisher = publisher;
        this.receiver = new HopReceiver(
                this,
                pool,
                link,
                key -> key.publisher().equals(publisher),
                limits.publisherWindowBytes(),
                relay.meter(),
                allowance);
        sendKeptReceipts();
    }

    public NodeId publisher() {
        return publisher;
    }

    /** The protocol's receiving end. */
    public HopReceiver receiver() {
        return receiver;
    }

    void disconnect() {
        gone = true;
        receiver.linkDown();
    }

    /** Time passes: a publisher that reads again gets the receipts that it has not got. */
    public void tick() {
        if (behind && !link.isBackedUp()) {
            behind = false;
            sendKeptReceipts(behindAfter);
        }
    }

    private void fallBehind(long after) {
        behindAfter = behind ? Math.min(behindAfter, after) : after;
        behind = true;
    }

    /** Receipts have come into being in the store: those that are kept are sent, unless they have been in this session. */
    void sendKeptReceipts() {
        sendKeptReceipts(0);
    }

    private void sendKeptReceipts(long afterSequence) {
        if (asking) {
            askAgainAfter = askAgainAfter == NOT_AGAIN ? afterSequence : Math.min(askAgainAfter, afterSequence);
        } else {
            ask(afterSequence, limits.page());
        }
    }

    private void ask(long afterSequence, int limit) {
        asking = true;
        store.receipts(publisher, afterSequence, limit, outcome -> {
            asking = false;
            if (!gone && !outcome.isRefused()) {
                sendPage(afterSequence, limit, outcome.get());
            }
        });
    }

    /** Receipts that removals made share the number of their transfer's commit, so a full page may end among such: they go with the next. */
    private void sendPage(long afterSequence, int limit, List<RelayStore.KeptReceipt> page) {
        boolean full = page.size() >= limit;
        long open = full ? page.get(page.size() - 1).sequence() : Long.MAX_VALUE;
        long last = afterSequence;
        for (RelayStore.KeptReceipt kept : page) {
            if (kept.sequence() < open) {
                if (behind || link.isBackedUp()) {
                    fallBehind(Math.min(last, kept.sequence() - 1)); // those that share its number go again
                    break;
                }
                if (!isSent(kept.receipt())) {
                    receipt(kept.receipt());
                }
                last = kept.sequence();
            }
        }
        if (full && !behind) {
            ask(last, last == afterSequence ? 2 * limit : limits.page());
            return;
        }
        if (full) {
            fallBehind(last);
        }
        if (askAgainAfter != NOT_AGAIN) {
            long again = askAgainAfter;
            askAgainAfter = NOT_AGAIN;
            askAgain(again);
        }
    }

    private void askAgain(long afterSequence) {
        if (behind) {
            fallBehind(afterSequence);
        } else {
            ask(afterSequence, limits.page());
        }
    }

    private boolean isSent(Receipt receipt) {
        return unacked.contains(new Sent(receipt.key(), receipt.subscription()));
    }

    void receipt(Receipt receipt) {
        if (behind || link.isBackedUp()) {
            fallBehind(0); // its number is not known here
            return;
        }
        boolean added = receipt.status().isFinal() && unacked.add(new Sent(receipt.key(), receipt.subscription()));
        if (added && unacked.size() > MAX_UNACKED) {
            unacked.remove(unacked.iterator().next());
            unackedForgotten = true;
        }
        receiver.receipt(receipt);
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        relay.lookup(key, done);
    }

    @Override
    public void state(TransferKey key, Outcome.Callback<StoredTransfer.State> done) {
        store.lookup(key, outcome -> done.accept(outcome.map(RelayStore.Lookup::state)));
    }

    @Override
    public void farEnds(TransferKey key, Outcome.Callback<List<FarEndProgress>> done) {
        relay.farEnds(key, done);
    }

    @Override
    public @Nullable Refusal whyNot(Manifest manifest) {
        Refusal refusal = rights.whyNot(manifest);
        if (refusal != null) {
            allowance.refused(1);
        }
        return refusal;
    }

    @Override
    public void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        allowance.recordWritten();
        relay.open(manifest, done);
    }

    @Override
    public void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        allowance.recordWritten();
        relay.fragment(fragment, done);
    }

    @Override
    public void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        allowance.recordWritten();
        relay.commit(key, commit, done);
    }

    @Override
    public void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        allowance.recordWritten();
        relay.small(manifest, fragment, commit, done);
    }

    @Override
    public void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        if (key.publisher().equals(publisher)) {
            if (relay.isOpen(key)) {
                allowance.recordWritten();
            } else {
                allowance.refused(1); // it costs a look-up, and most likely there is nothing to cancel
            }
            relay.cancel(key, reason, done);
        } else if (rights.mayCancelSomewhere()) {
            allowance.refused(1);
            relay.cancelOther(key, reason, rights, done);
        } else {
            allowance.refused(1);
            Refusal refusal = Objects.requireNonNull(rights.whyNotCancel(key, null));
            relay.post(() -> done.accept(Outcome.refused(refusal)));
        }
    }

    @Override
    public void recall(TransferKey key, String reason) {
        allowance.recordWritten();
        relay.recalls().recall(key, reason, outcome -> {});
    }

    @Override
    public void foreignTransfer(TransferKey key, String message) {
        allowance.refused(1);
        rights.notItsOwn(key, message);
    }

    @Override
    public void receiptAcked(TransferKey key, String subscription, ReceiptStatus status) {
        // The ack of LANDED does not acknowledge the final receipt that was sent after it.
        if (status.isFinal() && (unacked.remove(new Sent(key, subscription)) || unackedForgotten)) {
            allowance.recordWritten();
            store.append(new RelayRecord.ReceiptAcked(key, subscription), outcome -> {});
        }
    }
}
