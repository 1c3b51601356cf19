package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a hop: offers transfers to the next store, sends what that store lacks, and forgets what it has acked. It
 * outlives sessions; after each loss it starts again from what the receiver reports as durable.
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
    private final HopLimits limits;
    private final SenderStore store;
    private final Map<TransferKey, OutgoingTransfer> transfers = new LinkedHashMap<>();
    private final RetryQueue refused = new RetryQueue();
    /** Transfers that the receiver has refused and of which it has taken nothing since; seldom more than a few. */
    private final Set<OutgoingTransfer> lackRoom = new LinkedHashSet<>();

    private final OpenTransferSlots places;
    private final CommitScheduler turns;
    private final FragmentFlow fragments;
    private final SmallFlow smalls;
    private final ReceiptIntake receipts;
    private final CommitCheck check;
    private final SentTransfers finished = new SentTransfers();

    private @Nullable HopLink link;
    /** What the descriptions of the transfers take. */
    private long memoryBytes;

    private long nowNanos;
    /** When anything last became durable or committed at the receiver, or the first transfer began to wait for that. */
    private long hopProgressNanos;

    /** Creates a sender over a store. It has no link yet. */
    public HopSender(HopLimits limits, SenderStore store) {
        this(limits, store, CommitGate.OPEN);
    }

    /** The same where something else has a say in when a COMMIT leaves. */
    public HopSender(HopLimits limits, SenderStore store, CommitGate gate) {
        this.limits = limits;
        this.store = store;
        this.places = new OpenTransferSlots(limits.openTransfers());
        this.turns = new CommitScheduler(gate);
        this.fragments = new FragmentFlow(limits, store, this::onLoadRefused);
        this.smalls = new SmallFlow(limits, store, this::onLoadRefused, this::isTurnOf);
        this.check = new CommitCheck(store);
        this.receipts = new ReceiptIntake(store);
    }

    // --- what the store's side says
    /**
     * A transfer is to be sent. Offering it again changes nothing.
     *
     * @param place its place in Order by path if it is known already (at the origin: the publisher's number), or 0
     * @param fresh whether no session can have announced it yet
     */
    public void offer(Manifest manifest, long place, boolean fresh) {
        if (transfers.containsKey(manifest.key())) {
            return;
        }
        OutgoingTransfer transfer = new OutgoingTransfer(manifest, place, fresh);
        transfer.progressNanos = nowNanos;
        if (transfers.isEmpty()) {
            hopProgressNanos = nowNanos;
        }
        transfers.put(manifest.key(), transfer);
        memoryBytes += manifest.memoryBytes();
        turns.register(transfer);
        advance(transfer);
    }

    /** Fragments may be sent. {@code inMemory}, if given, is one of them, and is retained if it is wanted now. */
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
     * A relay has verified this fragment and is still making it durable. It is forwarded from memory if it is wanted now, and
     * otherwise waits for {@link #available}.
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
     * @param place as at {@link #offer}, if it had none
     * @param small the only fragment of a small transfer, if it is in memory; retained if it is wanted now
     */
    public void commit(TransferKey key, Commit commit, long place, @Nullable Fragment small) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null || transfer.commit != null) {
            return;
        }
        transfer.commit = commit;
        transfer.progressNanos = nowNanos;
        transfer.available.add(0, commit.fragmentCount());
        if (transfer.order == 0) {
            transfer.order = place;
            turns.register(transfer);
        }
        transfer.inMemory = small;
        advance(transfer);
        transfer.inMemory = null;
    }

    /**
     * The transfer's source broke off and may never go on: it holds back no other until {@link #goOn}, and where the receiver has no room
     * for it, it asks for none.
     */
    public void suspend(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null) {
            turns.suspend(transfer).forEach(this::tryAgain);
        }
    }

    /** A suspended transfer goes on. */
    public void goOn(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && turns.goOn(transfer)) {
            advance(transfer);
        }
    }

    /** The transfer is not to be sent after all. Ends with {@link SenderStore#cancelled} unless it turns out to be committed. */
    public void cancel(TransferKey key, String reason) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        if (transfer.fresh && transfer.state == OutgoingTransfer.State.WAITING) {
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
     * A relay has forgotten what it had of a transfer that was not committed: nothing more of it is sent, and nobody is told. If
     * it is offered again, the receiver's RESUME tells what it has of it.
     */
    public void withdraw(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.commit == null) {
            fragments.withdrawAll(transfer);
            remove(transfer);
        }
    }

    /**
     * The transfer is sent by another sender from now on: nothing more of it is sent here, and nobody is told. It changes nothing where
     * its COMMIT has left in this session.
     */
    public void handOver(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.state != OutgoingTransfer.State.COMMITTING) {
            fragments.withdrawAll(transfer);
            remove(transfer);
        }
    }

    /** The {@link CommitGate} would let the transfer's COMMIT pass now. */
    public void tryCommit(TransferKey key) {
        tryAgain(key);
    }

    // --- what the link says
    /** A session is up: everything that is not committed downstream is announced again, and last what lacked a right. */
    public void linkUp(HopLink newLink) {
        link = newLink;
        fragments.linkUp(newLink);
        smalls.linkUp(newLink);
        receipts.linkUp(newLink);
        check.linkUp(newLink);
        List<OutgoingTransfer> all = List.copyOf(transfers.values());
        all.stream().filter(transfer -> !transfer.lacksRight()).forEach(this::advance);
        all.stream().filter(OutgoingTransfer::lacksRight).forEach(this::advance);
    }

    /** The session is gone: what was on its way counts as not sent. */
    public void linkDown() {
        link = null;
        fragments.linkDown();
        smalls.linkDown();
        receipts.linkDown();
        check.linkDown();
        places.clear();
        refused.clear();
        transfers.values().forEach(OutgoingTransfer::sessionLost);
    }

    /**
     * A data channel died. What it carried is sent again on the others as soon as the peer has shown that it outlived it: a peer that
     * dies takes one channel after the other with it, and then everything on its way goes again in the next session, once.
     */
    public void streamLost(int stream) {
        fragments.beginWithdrawnAnew(stream);
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

    /** Time passes: refused transfers are tried again, lagging packets sent again. Call it every 100 ms or so. */
    public void tick(long now) {
        if (nowNanos == 0) { // until the first tick nobody knew what time it was
            transfers.values().forEach(transfer -> transfer.progressNanos = now);
            hopProgressNanos = now;
        }
        nowNanos = now;
        fragments.tick(now);
        for (OutgoingTransfer transfer : refused.takeDue(now)) {
            transfer.state = OutgoingTransfer.State.WAITING;
            advance(transfer);
        }
    }

    /** The next packet for a stream that can take one, or null. Ownership of its payload goes to the caller. */
    public @Nullable OutboundPacket next(int stream) {
        OutboundPacket small = smalls.next(stream);
        return small != null ? small : fragments.next(stream);
    }

    /** A message from the receiver. Messages that only a receiver gets are a protocol error of the peer's and are ignored. */
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
        } else if (message instanceof HopMessage.Credit credit) {
            fragments.credit(credit.windowBytes());
        }
    }

    /** What the descriptions of its transfers take in memory. */
    public long memoryBytes() {
        return memoryBytes;
    }

    // --- for people
    /** How a transfer stands, or how it went; empty if this sender does not know it. */
    public Optional<SenderProgress> progress(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        return transfer == null ? Optional.ofNullable(finished.of(key, nowNanos)) : Optional.of(progress(transfer));
    }

    private SenderProgress progress(OutgoingTransfer transfer) {
        boolean mayWait = transfer.commit != null && !transfer.committedThere;
        return transfer.progress(mayWait ? turns.blocking(transfer) : null, link != null, nowNanos);
    }

    /** Why the receiver, or the store here, refuses a transfer for now; empty if neither does. */
    public Optional<Refusal> refusal(TransferKey key) {
        return Optional.ofNullable(transfers.get(key)).map(transfer -> transfer.lastRefusal);
    }

    /** How long nothing has become durable or committed at the receiver while something waits for that; 0 if nothing waits. */
    public long idleMillis() {
        return transfers.isEmpty() ? 0 : SenderProgress.millis(hopProgressNanos, nowNanos);
    }

    /**
     * Of the complete transfers the one that has been stopped for longest: the receiver refuses it, or nothing moves on this hop. One that
     * waits in line while others move is not stopped. Empty if there is none.
     */
    public Optional<Stopped> longestStopped() {
        OutgoingTransfer longest = null;
        for (OutgoingTransfer transfer : transfers.values()) {
            if (transfer.commit != null && (longest == null || stoppedMillis(transfer) > stoppedMillis(longest))) {
                longest = transfer;
            }
        }
        return Optional.ofNullable(longest).map(this::stopped);
    }

    private long stoppedMillis(OutgoingTransfer transfer) {
        long own = SenderProgress.millis(transfer.progressNanos, nowNanos);
        return transfer.lastRefusal == null ? Math.min(own, idleMillis()) : own;
    }

    private Stopped stopped(OutgoingTransfer transfer) {
        return new Stopped(transfer.manifest, progress(transfer), stoppedMillis(transfer));
    }

    /** A transfer that does not move, why, and for how long. */
    public record Stopped(Manifest manifest, SenderProgress progress, long millis) {}

    /** The longest that one of its unfinished transfers has not come forward, in milliseconds; 0 if there is none. */
    public long longestIdleMillis() {
        long longest = 0;
        for (OutgoingTransfer transfer : transfers.values()) {
            longest = Math.max(longest, SenderProgress.millis(transfer.progressNanos, nowNanos));
        }
        return longest;
    }

    /** Whether this sender has that transfer and has not finished it. */
    public boolean has(TransferKey key) {
        return transfers.containsKey(key);
    }

    /** How many transfers this sender has and has not finished. */
    public int size() {
        return transfers.size();
    }

    /** The receiver's credit: the most bytes that may be on their way. */
    public long windowBytes() {
        return fragments.windowBytes();
    }

    /** Bytes that are on their way and not acked. */
    public long inFlightBytes() {
        return fragments.inFlightBytes();
    }

    /** Bytes that were sent more than once, over all transfers that are finished. */
    public long resentBytes() {
        return finished.resentBytes();
    }

    // --- inside
    private void beginIfWaiting(OutgoingTransfer transfer) {
        HopLink current = link;
        boolean wantsRoom =
                !(transfer.suspended && transfer.probing) || transfer.cancelReason != null; // which needs none
        if (current != null && transfer.state == OutgoingTransfer.State.WAITING && wantsRoom) {
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
            transfer.state = OutgoingTransfer.State.SMALL;
            smalls.offer(transfer);
        } else if (transfer.commit != null || transfer.forwardable || !transfer.available.isEmpty()) {
            if (!places.take(transfer, transfer.commit != null && isInTurn(transfer))) {
                return;
            }
            if (isTopicShortOfRoom(transfer)) {
                transfer.beginCarefully();
            }
            boolean pipelined = transfer.fresh && isAdmitting(transfer);
            current.send(new HopMessage.Open(transfer.manifest, !pipelined));
            transfer.state = pipelined ? OutgoingTransfer.State.OPEN : OutgoingTransfer.State.RESUMING;
            transfer.fresh = false;
        }
    }

    /** One that is committed at the receiver has had its turn. */
    private boolean isInTurn(OutgoingTransfer transfer) {
        return transfer.committedThere || isTurnOf(transfer);
    }

    /** What follows a transfer that the receiver may have lost waits until that is known. */
    private boolean isTurnOf(OutgoingTransfer transfer) {
        return turns.isTurnOf(transfer) && !(check.isUnderWay() && store.followsUnchecked(transfer.key()));
    }

    private void onChecked(HopMessage.Checked answer) {
        if (check.on(answer)) {
            List.copyOf(transfers.keySet()).forEach(this::tryAgain);
        }
    }

    /** What is committed at the receiver travels in steps: a small item takes its bytes along, which may be gone here. */
    private boolean isSmall(OutgoingTransfer transfer) {
        Commit commit = transfer.commit;
        return commit != null
                && !transfer.committedThere
                && commit.fragmentCount() <= 1
                && commit.sizeBytes() <= limits.smallLimitBytes()
                && isAdmitting(transfer);
    }

    /** Whether data may go ahead of the answer. Where transfers of its topic are being refused, bytes would only cross in vain. */
    private boolean isAdmitting(OutgoingTransfer transfer) {
        return transfer.refusals == 0 && !isTopicShortOfRoom(transfer);
    }

    private boolean isTopicShortOfRoom(OutgoingTransfer transfer) {
        return !lackRoom.isEmpty() && lackRoom.stream().anyMatch(other -> isOfSameTopic(other, transfer));
    }

    private static boolean isOfSameTopic(OutgoingTransfer one, OutgoingTransfer other) {
        return one.manifest.topic().equals(other.manifest.topic());
    }

    /** Quotas are of topics: what is under way of the same one may lack the same room. */
    private void refusedForNow(OutgoingTransfer transfer) {
        transfer.refusedThere();
        lackRoom.add(transfer);
        for (OutgoingTransfer other : transfers.values()) {
            if (other != transfer && other.sendsFragments() && isOfSameTopic(other, transfer)) {
                other.beginCarefully();
            }
        }
    }

    private void commitInTurn(OutgoingTransfer transfer, HopLink current) {
        Commit commit = transfer.commit;
        if (commit != null && transfer.state == OutgoingTransfer.State.OPEN && mayCommit(transfer)) {
            current.send(new HopMessage.CommitTransfer(transfer.key(), commit));
            transfer.state = OutgoingTransfer.State.COMMITTING;
            transfer.commitSent = true;
        }
    }

    private boolean mayCommit(OutgoingTransfer transfer) {
        return transfer.committedThere || (isTurnOf(transfer) && turns.mayCommit(transfer));
    }

    private void onAck(TransferKey key, FragmentRanges ranges) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        long before = transfer.acked.count();
        for (FragmentRange run : ranges.runs()) {
            transfer.onAck(run);
            fragments.acked(transfer, run.start(), run.end());
            if (transfer.taken(run.end() - run.start())) {
                lackRoom.remove(transfer);
                fragments.offer(transfer);
            }
        }
        if (transfer.acked.count() > before) {
            transfer.progressNanos = nowNanos;
            hopProgressNanos = nowNanos;
        }
        store.acked(key, ranges);
        if (transfer.state == OutgoingTransfer.State.OPEN && transfer.isComplete()) {
            advance(transfer); // its COMMIT may have waited for that
        }
    }

    private void onResume(TransferKey key, FragmentRanges durable) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        if (durable.count() > transfer.acked.count()) {
            transfer.progressNanos = nowNanos;
        }
        transfer.onResume(durable);
        store.acked(key, transfer.acked);
        advance(transfer);
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
            return; // it cannot have that: nobody told it that the transfer is complete
        }
        hopProgressNanos = nowNanos;
        remove(transfer);
        finished.committed(transfer, committed.repeatedBytes(), nowNanos);
        store.committed(committed.key(), committed.deliverySet());
        receipts.release(transfer);
    }

    private void onCancelled(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer != null && transfer.state == OutgoingTransfer.State.CANCELLING) { // else nobody asked for it
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
        if (transfer.state == OutgoingTransfer.State.CANCELLING && refusal.code() == ErrorCode.ID_USED) {
            // It had been committed there before the cancel came: the commit stands. What is left is to hear COMMITTED.
            transfer.committedThere = true;
            transfer.fresh = false;
            transfer.state = OutgoingTransfer.State.WAITING;
            advance(transfer);
            return;
        }
        boolean forGood = false;
        if (refusal.code().retriable()) {
            refusedForNow(transfer);
            retryLater(transfer, refusal);
        } else if (refusal.code() == ErrorCode.NOT_ALLOWED && store.waitsForRight(key)) {
            awaitRight(transfer, refusal);
        } else {
            forGood = true;
            remove(transfer);
        }
        store.refused(key, refusal);
        if (forGood) {
            receipts.release(transfer);
        }
    }

    /** Waits for the next session, because rights do not change within one. Meanwhile the transfer keeps its place by path and sends nothing. */
    private void awaitRight(OutgoingTransfer transfer, Refusal refusal) {
        transfer.lastRefusal = refusal;
        transfer.refusals++;
        stopSending(transfer);
        transfer.state = OutgoingTransfer.State.AWAITING_RIGHT;
    }

    private void onLoadRefused(OutgoingTransfer transfer, Refusal refusal) {
        if (transfers.get(transfer.key()) != transfer) {
            return;
        }
        if (refusal.code().retriable() || transfer.committedThere) {
            // The copy here is damaged, and may be repaired from upstream; or this node ends, and its next start reads
            // on; or a copy that is committed at the receiver has been damaged there, and no cancel would end that.
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
        transfer.state = OutgoingTransfer.State.REFUSED;
        refused.add(transfer, nowNanos);
    }

    private void sendCancel(OutgoingTransfer transfer, String reason) {
        HopLink current = link;
        if (current != null) {
            transfer.state = OutgoingTransfer.State.CANCELLING;
            current.send(new HopMessage.Cancel(transfer.key(), reason));
        }
    }

    private void stopSending(OutgoingTransfer transfer) {
        boolean wasOpen = transfer.state == OutgoingTransfer.State.RESUMING || transfer.sendsFragments();
        if (transfer.state == OutgoingTransfer.State.SMALL) {
            smalls.done(transfer);
        }
        transfer.state = OutgoingTransfer.State.WAITING;
        fragments.dropAll(transfer);
        places.forget(transfer);
        if (wasOpen) {
            places.giveBack();
            openNext();
        }
    }

    private void openNext() {
        OutgoingTransfer next = places.next();
        while (next != null) {
            advance(next);
            next = places.next();
        }
    }

    private void remove(OutgoingTransfer transfer) {
        if (transfers.remove(transfer.key(), transfer)) {
            memoryBytes -= transfer.manifest.memoryBytes();
            receipts.ended(transfer);
        }
        refused.remove(transfer.key());
        lackRoom.remove(transfer);
        finished.ended(transfer);
        stopSending(transfer);
        turns.leave(transfer).forEach(this::tryAgain);
    }

    /** A predecessor is done: a transfer whose commit, or whose whole, was waiting for it tries again. */
    private void tryAgain(TransferKey key) {
        OutgoingTransfer transfer = transfers.get(key);
        if (transfer == null) {
            return;
        }
        if (transfer.state == OutgoingTransfer.State.SMALL) {
            smalls.offer(transfer);
        } else {
            advance(transfer);
        }
    }
}
