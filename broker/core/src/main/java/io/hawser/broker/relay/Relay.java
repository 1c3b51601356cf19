package io.hawser.broker.relay;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.ReceiveMeter;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SendMeter;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.time.ExpiryClock;
import io.hawser.store.space.WaitingTransfers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker's decisions. It gives each publisher's session a hop receiver and each subscription a hop sender, makes what
 * arrives durable, forwards it meanwhile, fixes the delivery set at the commit, and carries receipts back.
 *
 * <p>A fragment is forwarded as soon as it has been verified (cut-through); a COMMIT only when it is durable here, so that
 * no consumer ever publishes what this relay could forget.
 *
 * <p>Thread: the relay's loop.
 */
public final class Relay {
    private static final int MAX_DROPPED = 1024;
    /** Transfers of which it is remembered that their publisher had announced them before; of too many the oldest is forgotten. */
    private static final int MAX_ANNOUNCED_BEFORE = 8192;
    /** This part of the pool's buffers is never used for forwarding, so that a slow subscription cannot stop the publishers. */
    private static final int UNLENT_PART = 4;

    private final RelayStore store;
    private final FragmentBufferPool pool;
    private final RelayLimits limits;
    private final Executor loop;
    private final LongSupplier steadyNanos;
    private final long startNanos;

    private final LiveTransfers live = new LiveTransfers(this::steadyMillis);
    /** The latest transfers that were dropped: a look-up that was on its way may still show them. */
    private final Set<TransferKey> dropped = EvictingMap.newSet(MAX_DROPPED);

    private final Subscriptions subscriptions;
    private final Publishers publishers;
    private final Receipts receipts;
    private final FarEndReporter farEnds;
    /** Transfers that a publisher believes to have been announced before, though nothing of them is here. */
    private final Set<TransferKey> announcedBefore = EvictingMap.newSet(MAX_ANNOUNCED_BEFORE);
    /** Transfers whose OPEN the store is writing; their sessions may be over. */
    private final Set<TransferKey> opensBeingWritten = new HashSet<>();
    /** Small transfers that the store is writing, with the callbacks that wait for that. */
    private final Map<TransferKey, List<Outcome.Callback<List<String>>>> smallsBeingWritten = new HashMap<>();

    private final DamagedFragments damaged = new DamagedFragments();

    private final PendingDeletions deletions = new PendingDeletions();

    private final AdmissionControl admission;
    private final ReadScheduler reads = new ReadScheduler();
    private final RetentionSweeper retention;
    private final Recalls recalls;
    private final Holds holds;
    private final ExpiryClock expiry;

    private final ReceiveMeter meter = new ReceiveMeter();
    private final SendMeter sent = new SendMeter();
    private final TransferCounts counts = new TransferCounts();

    /**
     * @param loop where it lives; completions are posted to it
     * @param epochMillis wall clock, for receipts and expiry
     * @param steadyNanos a clock that is never set, for how long something takes or waits; the same as {@link #tick}'s
     */
    public Relay(
            RelayStore store,
            FragmentBufferPool pool,
            RelayLimits limits,
            Executor loop,
            LongSupplier epochMillis,
            LongSupplier steadyNanos) {
        this.store = store;
        this.pool = pool;
        this.limits = limits;
        this.loop = loop;
        this.steadyNanos = steadyNanos;
        this.startNanos = steadyNanos.getAsLong();
        this.publishers = new Publishers(pool, limits);
        this.subscriptions = new Subscriptions(this, store, limits, epochMillis, this::steadyMillis);
        this.receipts = new Receipts(store, subscriptions, publishers, counts, epochMillis);
        this.farEnds = new FarEndReporter(this, store, live, subscriptions);
        this.admission = new AdmissionControl(store, live, this::steadyMillis, this::forget);
        this.holds = new Holds(this, store);
        this.recalls = new Recalls(this, store, epochMillis);
        this.expiry = new ExpiryClock(epochMillis, this::steadyMillis);
        this.retention = new RetentionSweeper(
                store, limits, this::forget, receipts::countExpired, () -> receipts.made(() -> {}));
    }

    /** Restores the subscriptions from the store; {@code ready} runs when sessions may be taken. */
    public void start(Outcome.Callback<Integer> ready) {
        store.subscriptions(outcome -> ready.accept(outcome.map(all -> {
            all.forEach(subscriptions::restore);
            return all.size();
        })));
    }

    // --- sessions
    /** A publisher's session is up. An older session of the same node has been ended before. */
    public PublisherIntake publisherConnected(NodeId publisher, HopLink link) {
        return publisherConnected(publisher, link, PublishRights.ALL, SenderAllowance.UNLIMITED);
    }

    /** The same for a publisher that has not all rights, or is limited. */
    public PublisherIntake publisherConnected(
            NodeId publisher, HopLink link, PublishRights rights, SenderAllowance allowance) {
        PublisherIntake intake = new PublisherIntake(this, store, limits, pool, publisher, link, rights, allowance);
        publishers.add(intake);
        return intake;
    }

    /** The session is gone. What was open stays open in the store. */
    public void publisherDisconnected(PublisherIntake intake) {
        intake.disconnect();
        if (publishers.remove(intake)) {
            live.endOf(intake.publisher());
        }
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** Holds committed transfers, and gives them priorities. */
    public Holds holds() {
        return holds;
    }

    /** Cancels committed transfers. */
    public Recalls recalls() {
        return recalls;
    }

    /** The order of reads from the store. */
    ReadScheduler reads() {
        return reads;
    }

    public ReceiveMeter meter() {
        return meter;
    }

    /** Counts what all subscriptions were sent. */
    public SendMeter sent() {
        return sent;
    }

    /** Counts what was committed here and what became of it, since the start. */
    public TransferCounts counts() {
        return counts;
    }

    /** What publishers have to keep for now. */
    public WaitingTransfers waitingForSpace() {
        return admission.waiting();
    }

    /** Who sends here now. */
    public Publishers publishers() {
        return publishers;
    }

    /** What publishers are told of their transfers. */
    public Receipts receipts() {
        return receipts;
    }

    /** Time passes. Call it every 100 ms or so. */
    public void tick(long nowNanos) {
        long nowMillis = expiry.nowMillis();
        subscriptions.tick(nowNanos, nowMillis);
        meter.tick(steadyMillis());
        admission.tick();
        retention.tick(nowMillis);
    }

    /** Since this relay was made. */
    private long steadyMillis() {
        return TimeUnit.NANOSECONDS.toMillis(steadyNanos.getAsLong() - startNanos);
    }

    // --- what publishers send
    void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        List<Outcome.Callback<List<String>>> beingWritten = smallsBeingWritten.get(key);
        if (beingWritten != null) { // by an earlier session of its publisher; the store would not show it yet
            beingWritten.add(outcome -> lookup(key, done));
            return;
        }
        if (deletions.isUnderWay(key)) {
            deletions.whenDone(key, () -> lookup(key, done));
            return;
        }
        LiveTransfer known = live.find(key);
        if (known != null && !known.committing) {
            FragmentRanges durable = known.durable.copy();
            post(() -> done.accept(Outcome.of(new StoredTransfer(StoredTransfer.State.OPEN, durable))));
            return;
        }
        store.lookup(key, outcome -> done.accept(outcome.map(found -> remember(key, found))));
    }

    private StoredTransfer remember(TransferKey key, RelayStore.Lookup lookup) {
        KeptTransfer kept = lookup.transfer();
        FragmentRanges durable = kept == null ? new FragmentRanges() : kept.durable();
        switch (lookup.state()) {
            case ABSENT -> announcedBefore.add(key);
            case OPEN -> {
                if (dropped.contains(key)) { // asked before the drop was durable
                    return new StoredTransfer(StoredTransfer.State.GONE, new FragmentRanges());
                }
                if (deletions.mayShowOld(key)) {
                    announcedBefore.add(key);
                    return new StoredTransfer(StoredTransfer.State.ABSENT, new FragmentRanges());
                }
                if (kept != null && live.find(key) == null) {
                    begin(kept.manifest(), durable.copy(), false);
                }
            }
            case COMMITTED -> {
                if (damaged.has(key) && kept != null && kept.commit() != null) {
                    FragmentRanges intact = damaged.intact(key, kept.commit().fragmentCount());
                    return new StoredTransfer(StoredTransfer.State.OPEN, intact);
                }
            }
            case GONE, CANCELLED -> {}
        }
        return new StoredTransfer(lookup.state(), durable);
    }

    void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        TransferKey key = manifest.key();
        LiveTransfer known = live.find(key);
        if (known != null && !known.manifest.promisesAs(manifest)) {
            post(() -> done.accept(Outcome.refused(
                    ErrorCode.MALFORMED, "the transfer was announced before with another topic, kind or size")));
            return;
        }
        if (known != null || damaged.has(key)) {
            Refusal stillNone = known == null ? null : dropIfForGood(known, admission.whyStillNoMore(known));
            post(() -> done.accept(stillNone == null ? Outcome.of(manifest) : Outcome.refused(stillNone)));
            return;
        }
        Refusal refusal = whyNot(manifest);
        if (refusal != null) {
            post(() -> done.accept(Outcome.refused(refusal)));
            return;
        }
        deletions.announced(key);
        begin(manifest, new FragmentRanges(), !announcedBefore.remove(key));
        opensBeingWritten.add(key);
        store.append(new RelayRecord.Opened(manifest), outcome -> {
            opensBeingWritten.remove(key);
            done.accept(outcome.map(sequence -> manifest));
        });
    }

    private void begin(Manifest manifest, FragmentRanges durable, boolean fresh) {
        admission.begins(manifest);
        LiveTransfer transfer = live.begin(manifest, durable, fresh);
        subscriptions.of(manifest.topic()).forEach(feed -> feed.opened(transfer));
    }

    private @Nullable Refusal whyNot(Manifest manifest) {
        if (!limits.createTopics() && subscriptions.of(manifest.topic()).isEmpty()) {
            return new Refusal(
                    ErrorCode.NOT_FOUND,
                    "there is no topic " + manifest.topic() + " and this broker does not make new ones");
        }
        return admission.whyNot(manifest);
    }

    void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        TransferKey key = fragment.key();
        LiveTransfer transfer = live.find(key);
        if (transfer == null) {
            repair(fragment, done);
            return;
        }
        Refusal refusal = dropIfForGood(transfer, admission.whyNoMore(transfer, fragment.length()));
        if (refusal != null) {
            post(() -> done.accept(Outcome.refused(refusal)));
            return;
        }
        List<SubscriptionFeed> feeds = subscriptions.of(transfer.manifest.topic());
        for (SubscriptionFeed feed : feeds) {
            if (feed.connected() && pool.available() * UNLENT_PART >= pool.capacity()) {
                feed.forward(fragment);
            }
        }
        store.appendFragment(fragment, outcome -> {
            if (!outcome.isRefused()) {
                transfer.durable.add(fragment.index());
                damaged.repaired(key, fragment.index());
                for (SubscriptionFeed feed : subscriptions.of(transfer.manifest.topic())) {
                    feed.durable(key, fragment.index());
                }
            }
            done.accept(outcome.map(sequence -> fragment));
        });
    }

    /** Drops a transfer that can never have room for its rest, since no publisher will send that. */
    private @Nullable Refusal dropIfForGood(LiveTransfer transfer, @Nullable Refusal refusal) {
        if (refusal != null && !refusal.code().retriable()) {
            drop(transfer.manifest.key(), refusal.detail(), unused -> {});
        }
        return refusal;
    }

    /** A publisher sends a fragment again that was damaged here after the commit. */
    private void repair(Fragment fragment, Outcome.Callback<Fragment> done) {
        TransferKey key = fragment.key();
        if (!damaged.has(key)) {
            store.lookup(key, outcome -> {
                boolean repairedBefore =
                        !outcome.isRefused() && outcome.get().state() == StoredTransfer.State.COMMITTED;
                done.accept(
                        repairedBefore
                                ? Outcome.of(fragment)
                                : Outcome.refused(
                                        ErrorCode.NOT_FOUND,
                                        "the transfer is not open here; it was cancelled or it expired"));
            });
            return;
        }
        store.appendFragment(fragment, outcome -> {
            if (!outcome.isRefused()) {
                damaged.repaired(key, fragment.index());
            }
            done.accept(outcome.map(sequence -> fragment));
        });
    }

    void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        LiveTransfer transfer = live.find(key);
        if (transfer == null || transfer.committing) {
            deliverySetOf(key, done);
            return;
        }
        transfer.committing = true;
        deletions.committing(key);
        List<String> deliverySet = subscriptions.names(transfer.manifest.topic());
        store.append(new RelayRecord.Committed(key, commit, deliverySet), outcome -> {
            live.end(transfer);
            if (!outcome.isRefused()) {
                tellCommitted(transfer.manifest, commit, outcome.get(), deliverySet, null);
            }
            done.accept(outcome.map(sequence -> deliverySet));
        });
    }

    /** The transfer was committed before: its delivery set is in the store. */
    private void deliverySetOf(TransferKey key, Outcome.Callback<List<String>> done) {
        store.lookup(key, outcome -> {
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            if (kept != null && kept.commit() != null) {
                done.accept(Outcome.of(sayable(kept.deliverySet())));
            } else if (!outcome.isRefused() && outcome.get().state() == StoredTransfer.State.GONE) {
                done.accept(Outcome.refused(ErrorCode.ID_USED, "the transfer was finished or cancelled before"));
            } else {
                done.accept(Outcome.refused(ErrorCode.STORAGE_FAILED, "the commit is not durable yet"));
            }
        });
    }

    /**
     * A delivery set that an earlier version made may be longer than a message can name. Then only subscriptions that there still are count,
     * and of these as many as can be named.
     */
    private List<String> sayable(Set<String> deliverySet) {
        return deliverySet.size() <= HopMessage.Committed.MAX_DELIVERY_SET
                ? List.copyOf(deliverySet)
                : deliverySet.stream()
                        .filter(name -> subscriptions.find(name) != null)
                        .limit(HopMessage.Committed.MAX_DELIVERY_SET)
                        .toList();
    }

    void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        Refusal refusal = whyNot(manifest);
        if (refusal != null) {
            post(() -> done.accept(Outcome.refused(refusal)));
            return;
        }
        TransferKey key = manifest.key();
        List<Outcome.Callback<List<String>>> waiting = smallsBeingWritten.get(key);
        if (waiting != null) {
            waiting.add(done);
            return;
        }
        List<Outcome.Callback<List<String>>> answers = new ArrayList<>(List.of(done));
        smallsBeingWritten.put(key, answers);
        List<String> deliverySet = subscriptions.names(manifest.topic());
        fragment.buffer().retain();
        store.appendSmall(manifest, fragment, commit, deliverySet, outcome -> {
            smallsBeingWritten.remove(key);
            if (!outcome.isRefused()) {
                tellCommitted(manifest, commit, outcome.get(), deliverySet, fragment);
            }
            fragment.buffer().release();
            answers.forEach(each -> each.accept(outcome.map(sequence -> deliverySet)));
        });
    }

    private void tellCommitted(
            Manifest manifest, Commit commit, long sequence, List<String> deliverySet, @Nullable Fragment small) {
        counts.completed(manifest.topic(), commit.sizeBytes());
        for (String name : deliverySet) {
            SubscriptionFeed feed = subscriptions.find(name);
            if (feed != null) {
                feed.committed(manifest, commit, sequence, small);
            }
        }
    }

    /** How far one of a publisher's transfers is at its far ends. */
    void farEnds(TransferKey key, Outcome.Callback<List<FarEndProgress>> done) {
        farEnds.farEnds(key, done);
    }

    /** Whether the transfer is here, announced and not committed. */
    boolean isOpen(TransferKey key) {
        return live.find(key) != null;
    }

    void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        List<Outcome.Callback<List<String>>> beingWritten = smallsBeingWritten.get(key);
        if (beingWritten != null) { // the store would not show it yet
            beingWritten.add(outcome -> cancel(key, reason, done));
            return;
        }
        LiveTransfer transfer = live.find(key);
        if (transfer != null && !transfer.committing) {
            drop(key, reason, done);
            return;
        }
        boolean beingOpened = opensBeingWritten.contains(key); // by an earlier session; the look-up may not show it
        store.lookup(key, outcome -> {
            Refusal refusal = outcome.refusal();
            LiveTransfer now = live.find(key); // an OPEN that was looked up before may have brought it back
            if (refusal != null) {
                done.accept(Outcome.refused(refusal));
            } else if (outcome.get().state() == StoredTransfer.State.COMMITTED || (now != null && now.committing)) {
                done.accept(Outcome.refused(ErrorCode.ID_USED, "the transfer is committed and can't be cancelled"));
            } else if (outcome.get().state() == StoredTransfer.State.OPEN || now != null || beingOpened) {
                drop(key, reason, done);
            } else {
                // Nothing is here, and no record is written for it. It cannot be announced later: OPEN and CANCEL keep
                // their order, its session discards packets that still come, and an older session of the node is
                // fenced.
                admission.waiting().remove(key);
                done.accept(Outcome.of(key));
            }
        });
    }

    /** Cancels another publisher's transfer if the session's rights allow it, and tells that publisher which peer did it. */
    void cancelOther(TransferKey key, String reason, PublishRights rights, Outcome.Callback<TransferKey> done) {
        store.lookup(key, outcome -> {
            LiveTransfer transfer = live.find(key);
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            Manifest manifest = transfer != null ? transfer.manifest : kept == null ? null : kept.manifest();
            Refusal refusal = rights.whyNotCancel(key, manifest == null ? null : manifest.topic());
            if (refusal != null) {
                done.accept(Outcome.refused(refusal));
                return;
            }
            String why = rights.peer() + " cancelled it: " + reason;
            cancelAndTell(key, why, done);
        });
    }

    /** Cancels a transfer that is not committed, and tells its publisher. */
    void cancelAndTell(TransferKey key, String why, Outcome.Callback<TransferKey> done) {
        cancel(key, why, cancelled -> {
            PublisherIntake publisher = publishers.find(key.publisher());
            if (publisher != null && !cancelled.isRefused()) {
                publisher.receiver().stop(key);
                publisher.receiver().refused(key, new Refusal(ErrorCode.CANCELLED, why));
            }
            done.accept(cancelled);
        });
    }

    private void drop(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        live.end(key);
        damaged.forget(key);
        admission.waiting().remove(key);
        dropped.add(key);
        store.append(new RelayRecord.Cancelled(key, reason), outcome -> {
            if (!outcome.isRefused()) { // else it may turn out to be committed at the next start
                subscriptions.all().forEach(feed -> feed.cancelled(key, reason));
            }
            done.accept(outcome.map(sequence -> key));
        });
    }

    /** What is here of an incomplete transfer is to go. It may have been committed since it was found. */
    private void forget(TransferKey key, Refusal why) {
        if (live.find(key) != null) {
            forgetOpen(key, why);
            return;
        }
        deletions.lookUp(key);
        store.lookup(key, outcome -> {
            boolean counts = deletions.lookedUp(key);
            if (counts && !outcome.isRefused() && outcome.get().state() == StoredTransfer.State.OPEN) {
                forgetOpen(key, why);
            }
        });
    }

    /** Its publisher has all of it until the commit, so what is here of it may go; it is asked to announce it again. */
    private void forgetOpen(TransferKey key, Refusal why) {
        LiveTransfer transfer = live.find(key);
        if (deletions.isUnderWay(key) || (transfer != null && transfer.committing)) {
            return;
        }
        live.end(key);
        damaged.forget(key); // or what comes again would be taken for a repair of what is here
        deletions.begin(key);
        PublisherIntake publisher = publishers.find(key.publisher());
        if (publisher != null) {
            publisher.receiver().stop(key);
        }
        subscriptions.all().forEach(feed -> feed.forgotten(key));
        store.append(new RelayRecord.Forgotten(key, why.detail()), outcome -> {
            deletions.done(key);
            if (publisher != null && !outcome.isRefused()) {
                publisher.receiver().refused(key, why);
            }
        });
    }

    /** A fragment could not be read back. If its publisher is here and has it still, it sends it again. */
    void damaged(TransferKey key, long index, @Nullable Refusal refusal) {
        boolean gone = dropped.contains(key) || deletions.mayShowOld(key);
        if (refusal == null || refusal.code() != ErrorCode.STORAGE_FAILED || gone) {
            return;
        }
        damaged.add(key, index);
        LiveTransfer transfer = live.find(key);
        if (transfer != null) {
            transfer.durable.remove(index, index + 1);
        }
        PublisherIntake publisher = publishers.find(key.publisher());
        if (publisher != null) {
            publisher.receiver().reportDamage(key, index);
        }
    }

    Collection<LiveTransfer> liveTransfers(Topic topic) {
        return live.of(topic);
    }

    void post(Runnable task) {
        loop.execute(task);
    }
}
