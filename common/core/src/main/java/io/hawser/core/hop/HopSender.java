package io.hawser.core.hop;

import io.hawser.core.hop.OutgoingTransfer.State;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a hop: offers transfers to the next store, sends the fragments that are missing there, and forgets what that store
 * has acked. It outlives sessions; after each loss it resumes from the ranges that the receiver reports as durable.
 *
 * <p>A new transfer is pipelined: OPEN, its packets and COMMIT leave without waiting for an answer. One that an earlier
 * session may have announced waits for RESUME. A transfer of at most one small fragment travels as one item together with
 * others. COMMIT, and so publication, waits for its turn (Order by path); data does not.
 *
 * <p>The states of a transfer are drawn at {@link OutgoingTransfer}. The messages are in docs/reference/protocol-hop.md.
 *
 * <p>Thread: the owner's loop.
 */
public final class HopSender {
    /** The priority of a transfer that nobody has given another; 9 goes first, 1 last. */
    public static final int USUAL_PRIORITY = OutgoingTransfer.USUAL_PRIORITY;

    private final HopSenderLimits limits;
    private final SenderStore store;
    private final Map<TransferKey, OutgoingTransfer> transfers = new LinkedHashMap<>();
    private final RetryQueue retries = new RetryQueue();
    private final TopicBackoff backoff = new TopicBackoff();
    private final OpenTransferSlots slots;
    private final CommitScheduler commits;
    private final FragmentFlow fragments;
    private final SmallTransferSender smalls;
    private final ReceiptIntake receipts;
    private final SenderStages stages;
    private final CommitReconciliation reconciliation;
    private final FinishedTransferStatistics finished = new FinishedTransferStatistics();
    private final SendMeter meter;

    private Consumer<List<FarEndProgress>> onFarEnds = farEnds -> {};
    private @Nullable HopLink link;
    /** The memory of the transfers' manifests. */
    private long memoryBytes;

    private int heldTransfers;

    private long nowNanos;
    /** When anything last became durable or committed at the receiver, or the first transfer was offered. */
    private long hopProgressNanos;

    /** Creates a sender over a store. It has no link yet. */
    public HopSender(HopSenderLimits limits, SenderStore store) {
        this(limits, store, CommitSendGate.OPEN);
    }

    /** The same with a gate that each COMMIT must pass. */
    public HopSender(HopSenderLimits limits, SenderStore store, CommitSendGate gate) {
        this(limits, store, gate, new SendMeter());
    }

    /** The same; {@code meter} counts what is sent. */
    public HopSender(HopSenderLimits limits, SenderStore store, CommitSendGate gate, SendMeter meter) {
        this.limits = limits;
        this.store = store;
        this.meter = meter;
        this.slots = new OpenTransferSlots(limits.openTransfers(), this::canFinish);
        this.commits = new CommitScheduler(gate);
        this.fragments = new FragmentFlow(limits, store, this::onLoadRefused, meter);
        this.smalls = new SmallTransferSender(limits, store, this::onLoadRefused, this::isTurnOf, meter);
        this.stages = new SenderStages(fragments, smalls, commits);
        this.reconciliation = new CommitReconciliation(store);
        this.receipts = new ReceiptIntake(store);
    }

    // --- calls of the store's side
    /**
     * Offers a transfer to the receiver. Offering it again changes nothing.
     *
     * @param order its number in Order by path if it is known already (at the origin: the publisher's number), or 0
     * @param fresh whether no session can have announced it yet
     */
    public void offer(Manifest manifest, long order, boolean fresh) {
        if (transfers.containsKey(manifest.key())) {
            return;
        }
        OutgoingTransfer transfer = new OutgoingTransfer(manifest, order, fresh);
        transfer.progressNanos = nowNanos;
        if (transfers.isEmpty()) {
            hopProgressNanos = nowNanos;
        }
        transfers.put(manifest.key(), transfer);
        memoryBytes += manifest.memoryBytes();
        commits.register(transfer);
        advance(transfer);
    }

    /** Fragments may be sent. {@code inMemory}, if given, is one of them; it is retained if it can be sent now. */
    public void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        transfer.available.add(range.start(), range.end());
        transfer.progressNanos = nowNanos;
        beginIfWaiting(transfer);
        if (inMemory != null) {
            fragments.offerInMemory(transfer, inMemory); // before advance(), which would load it
        }
        advance(transfer);
    }

    /**
     * Forwards a fragment that a relay has verified and is still making durable. It leaves from memory if it can be sent now, and otherwise
     * waits for {@link #available}.
     */
    public void forward(Fragment fragment) {
        OutgoingTransfer transfer = transfers.get(fragment.key());
        if (transfer == null) {
            return;
        }
        transfer.forwardable = true;
        advance(transfer);
        fragments.offerInMemory(transfer, fragment);
    }

    /**
     * The transfer is complete and all its fragments may be sent.
     *
     * @param order as at {@link #offer}, if it had none
     * @param small the only fragment of a small transfer, if it is in memory; retained if it can be sent now
     */
    public void commit(TransferKey key, Commit commit, long order, @Nullable Fragment small) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null || transfer.commit != null) {
            return;
        }
        transfer.commit = commit;
        transfer.progressNanos = nowNanos;
        transfer.available.add(0, commit.fragmentCount());
        if (transfer.order == 0) {
            transfer.order = order;
            commits.register(transfer);
        }
        transfer.inMemory = small;
        advance(transfer);
        transfer.inMemory = null;
    }

    /**
     * The transfer's source broke off and may never resume: until {@link #resume} it holds back no other, and is not offered again to a
     * receiver that has no space for it.
     */
    public void suspend(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null) {
            commits.suspend(transfer).forEach(this::tryAgain);
        }
    }

    /** The source of a suspended transfer has resumed. */
    public void resume(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && commits.resume(transfer)) {
            advance(transfer);
        }
    }

    /**
     * Stops sending a transfer until {@link #release}; later ones of its path wait for it. Fragments that have begun to leave are sent to their
     * end. False, and nothing changes, if the receiver may have committed it already, or this sender does not have it.
     */
    public boolean hold(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null
                || transfer.committedThere
                || transfer.cancelReason != null
                || (transfer.commitSent && transfer.mayBeThere())) {
            return false;
        }
        // A COMMIT that has left counts only when all of it is there.
        if (!transfer.held) {
            transfer.held = true;
            heldTransfers++;
            stopSending(transfer, fragments::pause);
        }
        return true;
    }

    /** Sends a transfer that was held. */
    public void release(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.held) {
            transfer.held = false;
            heldTransfers--;
            transfer.progressNanos = nowNanos;
            advance(transfer);
        }
    }

    /** From now on those with a lower priority let it go first. 1 (last) to 9 (first). */
    public void prioritise(TransferKey key, int priority) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        boolean sends = fragments.unqueue(transfer);
        boolean small = smalls.unqueue(transfer);
        slots.forget(transfer);
        transfer.priority = priority;
        if (sends) {
            fragments.offer(transfer);
        } else if (small) {
            smalls.offer(transfer);
        } else {
            advance(transfer);
        }
    }

    /** Cancels the transfer. Ends with {@link SenderStore#cancelled} unless the receiver has committed it. */
    public void cancel(TransferKey key, String reason) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        if (isUnannounced(transfer)) {
            remove(transfer);
            store.cancelled(key);
            return;
        }
        transfer.cancelReason = reason;
        if (link != null) {
            stopSending(transfer);
            sendCancel(transfer, reason);
        }
    }

    /**
     * Gives a transfer up that may be committed at the receiver, which answers with a receipt. Without a session only this sender forgets it; the
     * owner recalls it again in the next one.
     */
    public void recall(TransferKey key, String reason) {
        abandon(key);
        HopLink current = link;
        if (current != null) {
            current.send(new HopMessage.Recall(key, reason));
        }
    }

    /** Stops sending a transfer that is about to be recalled, whatever its state; the receiver gets no message. */
    public void abandon(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null) {
            remove(transfer);
            receipts.release(transfer);
        }
    }

    private static boolean isUnannounced(OutgoingTransfer transfer) {
        return transfer.fresh && transfer.state() == State.WAITING;
    }

    /** Whether the receiver cannot have heard of the transfer, or this sender does not have it. */
    public boolean isUnannounced(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        return transfer == null || isUnannounced(transfer);
    }

    /**
     * Stops sending an uncommitted transfer that a relay has dropped; the receiver gets no message. If it is offered again, the receiver's
     * RESUME says what is durable there.
     */
    public void withdraw(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.commit == null) {
            fragments.withdrawAll(transfer);
            remove(transfer);
        }
    }

    /**
     * Stops sending a transfer that another sender takes over. Sends no message: the caller tells the receiver to drop its part. Does nothing
     * if its COMMIT has left in this session.
     */
    public void handOver(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.state() != State.COMMITTING) {
            remove(transfer);
        }
    }

    /** Asks the receiver whether it still has these transfers, as at {@link SenderStore#toCheck}; nothing without a session. */
    public void check(List<TransferKey> keys) {
        HopLink current = link;
        if (current != null) {
            reconciliation.begin(current, keys);
        }
    }

    /** Asks the receiver how far these transfers are at their far ends, at most {@value HopMessage.AskProgress#MOST_ASKED} of them; nothing without a session. */
    public void askProgress(List<TransferKey> keys) {
        HopLink current = link;
        if (current != null && !keys.isEmpty()) {
            current.send(new HopMessage.AskProgress(
                    keys.subList(0, Math.min(keys.size(), HopMessage.AskProgress.MOST_ASKED))));
        }
    }

    /** Learns what the receiver answers to {@link #askProgress}. */
    public void onFarEnds(Consumer<List<FarEndProgress>> listener) {
        onFarEnds = listener;
    }

    // --- calls of the link
    /** A session is up: announces every transfer that is not committed downstream, those that lacked a right last. */
    public void linkUp(HopLink newLink) {
        link = newLink;
        fragments.linkUp(newLink);
        smalls.linkUp(newLink);
        receipts.linkUp(newLink);
        reconciliation.linkUp(newLink);
        store.recalls().forEach(newLink::send);
        List<OutgoingTransfer> all = List.copyOf(transfers.values());
        all.stream().filter(transfer -> !transfer.lacksRight()).forEach(this::advance);
        all.stream().filter(OutgoingTransfer::lacksRight).forEach(this::advance);
    }

    /** The session is lost: what was in flight counts as not sent. */
    public void linkDown() {
        link = null;
        fragments.linkDown();
        smalls.linkDown();
        receipts.linkDown();
        reconciliation.linkDown();
        slots.clear();
        retries.clear();
        transfers.values().forEach(OutgoingTransfer::sessionLost);
    }

    /**
     * A stream died. Once the peer has answered a probe, the others send again what it carried. A peer that dies loses one stream after the
     * other; then the next session sends everything that was in flight, once.
     */
    public void streamLost(int stream) {
        fragments.restartWithdrawn(stream);
        HopLink lost = link;
        if (lost != null) {
            lost.probe(() -> {
                if (link == lost) {
                    fragments.streamLost(stream);
                    smalls.streamLost(stream);
                }
            });
        }
    }

    /** Retries refused transfers and sends lagging packets again. To be called about every 100 ms; {@code now} is in nanoseconds. */
    public void tick(long now) {
        if (nowNanos == 0) { // the time was unknown until the first tick
            transfers.values().forEach(transfer -> transfer.progressNanos = now);
            hopProgressNanos = now;
        }
        nowNanos = now;
        fragments.tick(now);
        for (OutgoingTransfer transfer : retries.takeDue(now)) {
            transfer.become(State.WAITING, "it is time to retry");
            advance(transfer);
        }
    }

    /** The next packet for a stream that can take one, or null. The caller owns its payload. */
    public @Nullable OutboundPacket next(int stream) {
        OutboundPacket small = smalls.next(stream);
        return small != null ? small : fragments.next(stream);
    }

    /** Handles a message from the receiver. Ignores messages that only a receiver gets. */
    public void on(HopMessage message) {
        if (message instanceof HopMessage.Ack ack) {
            onAck(ack.key(), ack.ranges());
        } else if (message instanceof HopMessage.Committed committed) {
            onCommitted(committed);
        } else if (message instanceof HopMessage.ReceiptNotice notice) {
            receipts.receive(notice, transfers.get(notice.receipt().key()));
        } else if (message instanceof HopMessage.Resume resume) {
            onResume(resume.key(), resume.durable());
        } else if (message instanceof HopMessage.Nack nack) {
            onNack(nack.key(), nack.index());
        } else if (message instanceof HopMessage.Refuse refuse) {
            onRefuse(refuse.key(), refuse.refusal());
        } else if (message instanceof HopMessage.Cancelled cancelled) {
            onCancelled(cancelled.key());
        } else if (message instanceof HopMessage.Checked checked) {
            onChecked(checked);
        } else if (message instanceof HopMessage.Progress progress) {
            onFarEnds.accept(progress.farEnds());
        } else if (message instanceof HopMessage.Credit credit) {
            fragments.credit(credit.windowBytes());
        }
    }

    /** The memory of its transfers' manifests, and of the receipts that wait for the end of their transfers, in bytes. */
    public long memoryBytes() {
        return memoryBytes + receipts.earlyBytes();
    }

    // --- status
    /** The progress of a transfer, also of a recently finished one; empty if this sender does not know it. */
    public Optional<OutgoingTransferStatus> progress(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        return transfer == null ? Optional.ofNullable(finished.of(key, nowNanos)) : Optional.of(progress(transfer));
    }

    private OutgoingTransferStatus progress(OutgoingTransfer transfer) {
        boolean mayWait = transfer.commit != null && !transfer.committedThere;
        return transfer.progress(mayWait ? commits.blocking(transfer) : null, link != null, nowNanos);
    }

    /** Where each of the first {@code most} transfers waits now. Small ones are left out: they are many, and over in a moment. */
    public void stages(int most, BiConsumer<TransferKey, WaitStage> visitor) {
        int left = most;
        for (OutgoingTransfer transfer : transfers.values()) {
            if (--left < 0) {
                return;
            }
            if (transfer.state() != State.SMALL) {
                visitor.accept(transfer.key(), stages.of(transfer, link));
            }
        }
    }

    /** Where a transfer waits now; empty if this sender has not got it, or has finished it. */
    public Optional<WaitStage> stage(TransferKey key) {
        return Optional.ofNullable(transfers.get(key)).map(transfer -> stages.of(transfer, link));
    }

    /** What is known of the place where a transfer waits, as a phrase; empty if nothing is. */
    public String stageDetail(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        HopLink current = link;
        if (transfer == null || transfer.held) {
            return "";
        }
        String held = progress(transfer).held();
        return held.isEmpty() && current != null ? current.limitDetail() : held;
    }

    /** Why the receiver, or the store here, refuses a transfer for now; empty if neither does. */
    public Optional<Refusal> refusal(TransferKey key) {
        return Optional.ofNullable(transfers.get(key)).map(transfer -> transfer.lastRefusal);
    }

    /** For how long nothing has become durable or committed at the receiver, in milliseconds; 0 if no transfer waits. */
    public long idleMillis() {
        return transfers.isEmpty() ? 0 : OutgoingTransferStatus.millis(hopProgressNanos, nowNanos);
    }

    /**
     * The complete transfer that has been stopped for longest: the receiver refuses it, or nothing moves on this hop. A transfer that waits
     * while others move is not stopped. Empty if there is none.
     */
    public Optional<Stopped> longestStopped() {
        OutgoingTransfer longest = null;
        for (OutgoingTransfer transfer : transfers.values()) {
            if (transfer.commit != null
                    && !transfer.held
                    && (longest == null || stoppedMillis(transfer) > stoppedMillis(longest))) {
                longest = transfer;
            }
        }
        return Optional.ofNullable(longest).map(this::stopped);
    }

    private long stoppedMillis(OutgoingTransfer transfer) {
        long own = OutgoingTransferStatus.millis(transfer.progressNanos, nowNanos);
        return transfer.lastRefusal == null ? Math.min(own, idleMillis()) : own;
    }

    private Stopped stopped(OutgoingTransfer transfer) {
        return new Stopped(transfer.manifest, progress(transfer), stoppedMillis(transfer));
    }

    /** A transfer that does not move, why, and for how long in milliseconds. */
    public record Stopped(Manifest manifest, OutgoingTransferStatus progress, long millis) {}

    /** The longest time that one of its unfinished transfers has made no progress, in milliseconds; 0 if there is none. */
    public long longestIdleMillis() {
        long longest = 0;
        for (OutgoingTransfer transfer : transfers.values()) {
            long millis = transfer.held ? 0 : OutgoingTransferStatus.millis(transfer.progressNanos, nowNanos);
            longest = Math.max(longest, millis);
        }
        return longest;
    }

    /** Whether this sender has that transfer and has not finished it. */
    public boolean has(TransferKey key) {
        return transfers.containsKey(key);
    }

    /** How many of its transfers are held. */
    public int heldTransfers() {
        return heldTransfers;
    }

    /** How many transfers this sender has and has not finished. */
    public int size() {
        return transfers.size();
    }

    /** The receiver's credit: the most bytes in flight. */
    public long windowBytes() {
        return fragments.windowBytes();
    }

    /** Bytes that were sent and are not acked. */
    public long inFlightBytes() {
        return fragments.inFlightBytes();
    }

    /** Counts what this sender, and others that share the meter, have sent. */
    public SendMeter meter() {
        return meter;
    }

    // --- inside
    private void beginIfWaiting(OutgoingTransfer transfer) {
        HopLink current = link;
        boolean awaitsSource = transfer.suspended && transfer.probing;
        boolean mayBegin = !(awaitsSource || transfer.held) || transfer.cancelReason != null; // a CANCEL needs no space
        if (current != null && transfer.state() == State.WAITING && mayBegin) {
            begin(transfer, current);
        }
    }

    private void advance(OutgoingTransfer transfer) {
        beginIfWaiting(transfer);
        HopLink current = link;
        if (current != null && transfer.sendsFragments()) {
            fragments.offer(transfer);
            commitInTurn(transfer, current);
        }
    }

    private void begin(OutgoingTransfer transfer, HopLink current) {
        String reason = transfer.cancelReason;
        if (reason != null && !transfer.committedThere) {
            sendCancel(transfer, reason);
        } else if (isSmall(transfer)) {
            transfer.become(State.SMALL, "it is small");
            smalls.offer(transfer);
        } else if (transfer.commit != null || transfer.forwardable || !transfer.available.isEmpty()) {
            if (!slots.take(transfer)) {
                return;
            }
            if (backoff.affects(transfer)) {
                transfer.beginCarefully();
            }
            boolean pipelined = transfer.fresh && backoff.maySendAhead(transfer);
            current.send(new HopMessage.Open(transfer.manifest, !pipelined));
            transfer.become(pipelined ? State.OPEN : State.RESUMING, "OPEN was sent");
            transfer.fresh = false;
        }
    }

    private boolean canFinish(OutgoingTransfer transfer) {
        return transfer.state() == State.COMMITTING || (transfer.commit != null && isInTurn(transfer));
    }

    /** A transfer that is committed at the receiver has had its turn. */
    private boolean isInTurn(OutgoingTransfer transfer) {
        return transfer.committedThere || isTurnOf(transfer);
    }

    /** A successor of a transfer that the receiver may have lost waits for the receiver's answer to CHECK. */
    private boolean isTurnOf(OutgoingTransfer transfer) {
        return commits.isTurnOf(transfer) && !(reconciliation.isUnderWay() && store.followsUnchecked(transfer.key()));
    }

    private void onChecked(HopMessage.Checked answer) {
        if (reconciliation.on(answer)) {
            List.copyOf(transfers.keySet()).forEach(this::tryAgain);
        }
    }

    /** A transfer that is committed at the receiver is not small: a small item carries its bytes, which may be gone here. */
    private boolean isSmall(OutgoingTransfer transfer) {
        Commit commit = transfer.commit;
        return commit != null
                && !transfer.committedThere
                && commit.fragmentCount() <= 1
                && commit.sizeBytes() <= limits.smallLimitBytes()
                && backoff.maySendAhead(transfer);
    }

    private void commitInTurn(OutgoingTransfer transfer, HopLink current) {
        Commit commit = transfer.commit;
        if (commit != null && transfer.state() == State.OPEN && mayCommit(transfer)) {
            current.send(new HopMessage.CommitTransfer(transfer.key(), commit));
            transfer.become(State.COMMITTING, "COMMIT was sent");
            transfer.commitSent = true;
        }
    }

    private boolean mayCommit(OutgoingTransfer transfer) {
        return transfer.committedThere || (isTurnOf(transfer) && commits.mayCommit(transfer));
    }

    private void onAck(TransferKey key, FragmentRanges ranges) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        FragmentRanges existing = transfer.existing(ranges);
        long before = transfer.acked.count();
        transfer.onAck(existing);
        if (hasTooManyGaps(transfer)) {
            return;
        }
        for (FragmentRange run : existing.runs()) {
            fragments.acked(transfer, run.start(), run.end());
            if (backoff.acked(transfer, run.end() - run.start())) {
                fragments.offer(transfer);
            }
        }
        if (transfer.acked.count() > before) {
            transfer.progressNanos = nowNanos;
            hopProgressNanos = nowNanos;
        }
        store.acked(key, existing);
        if (transfer.state() == State.OPEN && transfer.isComplete()) {
            advance(transfer); // its gate may let the COMMIT pass only now
        }
    }

    private void onResume(TransferKey key, FragmentRanges durable) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        long before = transfer.acked.count();
        transfer.onResume(durable);
        if (transfer.acked.count() > before) {
            transfer.progressNanos = nowNanos;
        }
        store.acked(key, transfer.acked);
        advance(transfer);
    }

    /** Ends the session if the peer has acked what a receiver never keeps: more gaps than it takes. */
    private boolean hasTooManyGaps(OutgoingTransfer transfer) {
        HopLink current = link;
        boolean tooMany = transfer.acked.runCount() > HopReceiver.MAX_RUNS;
        if (tooMany && current != null) {
            current.end("its acks leave more than " + HopReceiver.MAX_RUNS + " gaps in one transfer");
        }
        return tooMany;
    }

    private void onNack(TransferKey key, long index) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null) {
            fragments.nacked(transfer, index);
        } else {
            store.damagedDownstream(key, index);
        }
    }

    private void onCommitted(HopMessage.Committed committed) {
        OutgoingTransfer transfer = transfers.get(committed.key());
        if (transfer == null || !transfer.commitSent) {
            return; // a faulty peer: no COMMIT was sent to it
        }
        hopProgressNanos = nowNanos;
        remove(transfer);
        finished.committed(transfer, committed.repeatedBytes(), nowNanos);
        store.committed(committed.key(), committed.deliverySet());
        receipts.release(transfer);
    }

    private void onCancelled(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.state() == State.CANCELLING) { // else a faulty peer: no CANCEL was sent to it
            remove(transfer);
            store.cancelled(key);
            receipts.release(transfer);
        }
    }

    private void onRefuse(TransferKey key, Refusal refusal) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        if (transfer.state() == State.CANCELLING && refusal.code() == ErrorCode.ID_USED) {
            // The receiver had committed it before CANCEL came: the commit is valid, and COMMITTED is awaited.
            transfer.committedThere = true;
            transfer.fresh = false;
            transfer.become(State.WAITING, "it is committed at the receiver");
            advance(transfer);
            return;
        }
        boolean permanent = false;
        if (refusal.code().retriable()) {
            backoff.refused(transfer, transfers.values());
            retryLater(transfer, refusal);
        } else if (refusal.code() == ErrorCode.NOT_ALLOWED && store.waitsForRight(key)) {
            awaitRight(transfer, refusal);
        } else {
            permanent = true;
            remove(transfer);
        }
        store.refused(key, refusal);
        if (permanent) {
            receipts.release(transfer);
        }
    }

    /** Waits for the next session, because rights do not change within one. Meanwhile the transfer keeps its number by path and sends nothing. */
    private void awaitRight(OutgoingTransfer transfer, Refusal refusal) {
        transfer.lastRefusal = refusal;
        transfer.refusals++;
        stopSending(transfer);
        transfer.become(State.AWAITING_RIGHT, "a right is missing");
    }

    private void onLoadRefused(OutgoingTransfer transfer, Refusal refusal) {
        if (transfers.get(transfer.key()) != transfer) {
            return;
        }
        if (refusal.code().retriable() || transfer.committedThere) {
            // The copy here is damaged and may be repaired from upstream; or this node stops, and its next start reads
            // it; or the receiver's committed copy is damaged, and no cancel would end that.
            retryLater(transfer, refusal);
            return;
        }
        String why = "its source cannot be read: " + refusal.detail();
        if (transfer.begun.isEmpty() && transfer.fresh) {
            remove(transfer);
        } else {
            cancel(transfer.key(), why);
        }
        store.refused(transfer.key(), new Refusal(ErrorCode.NOT_FOUND, why));
    }

    private void retryLater(OutgoingTransfer transfer, Refusal refusal) {
        transfer.lastRefusal = refusal;
        stopSending(transfer);
        transfer.become(State.REFUSED, "it is refused for now");
        retries.add(transfer, nowNanos);
    }

    private void sendCancel(OutgoingTransfer transfer, String reason) {
        HopLink current = link;
        if (current != null) {
            transfer.become(State.CANCELLING, "CANCEL is sent");
            current.send(new HopMessage.Cancel(transfer.key(), reason));
        }
    }

    private void stopSending(OutgoingTransfer transfer) {
        stopSending(transfer, fragments::dropAll);
    }

    private void stopSending(OutgoingTransfer transfer, Consumer<OutgoingTransfer> stopFragments) {
        boolean wasOpen = transfer.state() == State.RESUMING || transfer.sendsFragments();
        if (transfer.state() == State.SMALL) {
            smalls.done(transfer);
        }
        transfer.become(State.WAITING, "its sending stops");
        retries.remove(transfer.key());
        stopFragments.accept(transfer);
        slots.forget(transfer);
        if (wasOpen) {
            slots.giveBack(transfer);
            openNext();
        }
    }

    private void openNext() {
        OutgoingTransfer next = slots.next();
        while (next != null) {
            advance(next);
            next = slots.next();
        }
    }

    private void remove(OutgoingTransfer transfer) {
        if (transfers.remove(transfer.key(), transfer)) {
            heldTransfers -= transfer.held ? 1 : 0;
            memoryBytes -= transfer.manifest.memoryBytes();
            receipts.ended(transfer);
        }
        backoff.remove(transfer);
        stopSending(transfer);
        commits.leave(transfer).forEach(this::tryAgain);
    }

    /** What held the transfer back, its predecessor or the {@link CommitSendGate}, is gone: it tries again to commit, or to be sent whole. */
    public void tryAgain(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        if (transfer.state() == State.SMALL) {
            smalls.offer(transfer);
        } else {
            advance(transfer);
        }
    }
}
