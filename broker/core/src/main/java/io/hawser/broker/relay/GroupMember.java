package io.hawser.broker.relay;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderStore;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member of a shared subscription: its hop sender, and its load.
 *
 * <p>It is given little at a time, so that a faster member gets more and a dead one holds little: another transfer if it has fewer than
 * {@value #FEWEST_TRANSFERS}, or while it has less than 64 MiB and {@value #MOST_TRANSFERS} transfers. What it has not delivered counts,
 * also what has landed there: a member with a silent far server gets no more.
 *
 * <p>Thread: the relay's loop.
 */
final class GroupMember implements SenderStore {
    static final int FEWEST_TRANSFERS = 2;
    static final int MOST_TRANSFERS = 128;
    static final long MOST_BYTES = 64L << 20;

    private static final int MAX_TO_DROP = 4096;

    private final GroupSubscription group;
    private final NodeId node;
    private final HopSender sender;
    private final ConsumerReconciliation reconciliation;
    /** What it may have a part of, and another gets; it has not been told. An evicted part expires there by itself. */
    private final Set<TransferKey> toDrop = EvictingMap.newSet(MAX_TO_DROP);

    private String name;
    private @Nullable HopLink link;
    private long awaySinceMillis;
    private long shortUntilMillis = Long.MIN_VALUE;
    private int transfers;
    private long bytes;
    private int comingTransfers;
    private long comingBytes;
    private long deliveredTransfers;
    private long deliveredBytes;
    private long lately;

    GroupMember(GroupSubscription group, HopSenderLimits limits, NodeId node, String name, long nowMillis) {
        this.group = group;
        this.node = node;
        this.name = name;
        this.awaySinceMillis = nowMillis;
        this.sender = new HopSender(
                limits.withoutSmall(),
                this,
                (key, complete) -> complete && group.permits.mayCommit(this, key),
                group.relay.sent());
        this.reconciliation =
                new ConsumerReconciliation(sender, done -> done.accept(Outcome.of(group.assignments.landedAt(this))));
    }

    NodeId node() {
        return node;
    }

    String name() {
        return name;
    }

    void rename(String value) {
        name = value;
    }

    HopSender sender() {
        return sender;
    }

    boolean connected() {
        return link != null;
    }

    boolean isLink(HopLink other) {
        return link == other;
    }

    void connect(HopLink newLink) {
        link = newLink;
        sender.linkUp(newLink);
        reconciliation.linkUp(newLink);
    }

    void disconnect(long nowMillis) {
        link = null;
        awaySinceMillis = nowMillis;
        sender.linkDown();
        reconciliation.linkDown();
    }

    void tick(long nowNanos) {
        sender.tick(nowNanos);
        reconciliation.tick(nowNanos);
    }

    long awayMillis(long nowMillis) {
        return link != null ? 0 : Math.max(0, nowMillis - awaySinceMillis);
    }

    // --- what it has
    void add(Assignment assignment) {
        transfers++;
        bytes += assignment.bytes();
        toDrop.remove(assignment.key());
        offer(assignment);
    }

    /** Offering it again changes nothing. */
    void offer(Assignment assignment) {
        String recall = assignment.recall;
        if (recall != null) {
            sender.recall(assignment.key(), recall);
            return;
        }
        sender.offer(assignment.manifest, 0, false);
        sender.commit(assignment.key(), assignment.commit, assignment.sequence, null);
        if (assignment.priority != HopSender.USUAL_PRIORITY) {
            sender.prioritise(assignment.key(), assignment.priority);
        }
    }

    /** The same of one that still comes in; {@code fresh} if no member can have heard of it. */
    void offer(LiveTransfer transfer, boolean fresh) {
        TransferKey key = transfer.manifest.key();
        boolean heard = toDrop.remove(key);
        sender.offer(transfer.manifest, 0, fresh && !heard);
        for (FragmentRange run : transfer.durable.runs()) {
            sender.available(key, run, null);
        }
    }

    void remove(Assignment assignment) {
        transfers--;
        bytes -= assignment.bytes();
    }

    /** Another member gets the transfer: what this one may have of it is to go, now or when it comes back. */
    void drop(TransferKey key) {
        sender.handOver(key);
        if (link != null) {
            link.send(new HopMessage.Cancel(key, HopMessage.Cancel.HANDED_OVER));
            return;
        }
        toDrop.add(key);
    }

    /** Its publisher has cancelled the transfer: the same, and once more in its next session, since the message may be lost with this one. */
    void cancel(TransferKey key, String reason) {
        boolean mayHaveHeard = !sender.isUnannounced(key);
        sender.handOver(key);
        if (mayHaveHeard) {
            toDrop.add(key);
            if (link != null) {
                link.send(new HopMessage.Cancel(key, reason));
            }
        }
    }

    boolean mayHavePartOf(TransferKey key) {
        return toDrop.contains(key);
    }

    /** It is here again: tells it what others get. */
    void sendDrops() {
        HopLink current = link;
        if (current != null) {
            toDrop.forEach(key -> current.send(new HopMessage.Cancel(key, HopMessage.Cancel.HANDED_OVER)));
            toDrop.clear();
        }
    }

    /** Whether it is given another transfer. */
    boolean hasRoom() {
        return hasRoom(transfers, bytes);
    }

    /** Whether it is given another one that still comes in. What comes in slowly keeps it from no work. */
    boolean hasRoomForMoreThatComesIn() {
        return hasRoom(allTransfers(), allBytes());
    }

    private boolean hasRoom(int count, long size) {
        return link != null && (count < FEWEST_TRANSFERS || (count < MOST_TRANSFERS && size < MOST_BYTES));
    }

    /** So many more, or fewer, come in for it. */
    void comesIn(int count, long size) {
        comingTransfers += count;
        comingBytes += size;
    }

    /** With what still comes in. */
    int allTransfers() {
        return transfers + comingTransfers;
    }

    /** With what still comes in. */
    long allBytes() {
        return bytes + comingBytes;
    }

    /** What it was given lately, in bytes: decides between members that have equally little now. */
    long lately() {
        return lately;
    }

    void setLately(long value) {
        lately = value;
    }

    /** It has no room on its disk, say: for a while others come first. */
    void isShortUntil(long millis) {
        shortUntilMillis = millis;
    }

    boolean isShort(long nowMillis) {
        return nowMillis < shortUntilMillis;
    }

    void delivered(long size) {
        deliveredTransfers++;
        deliveredBytes += size;
    }

    GroupMemberStatus status(String subject, long nowMillis) {
        return new GroupMemberStatus(
                name,
                node,
                subject,
                connected(),
                awayMillis(nowMillis),
                transfers,
                bytes,
                group.assignments.pinnedTo(node),
                deliveredTransfers,
                deliveredBytes);
    }

    // --- what its sender says
    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        group.read(key, index, done);
    }

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {
        // Its RESUME is the truth about its fragments; nothing is kept of it here.
    }

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        group.landed(key);
    }

    @Override
    public void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        absent.forEach(key -> group.lostBy(this, key));
    }

    @Override
    public long mostEarlyReceiptBytes() {
        return group.relay.subscriptions().earlyReceiptsOfEachBytes() / GroupRoster.MAX_MEMBERS;
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        group.receipt(this, receipt, durable);
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {
        group.refused(this, key, refusal);
    }

    @Override
    public void damagedDownstream(TransferKey key, long index) {
        // A consumer checks what it has stored before it commits; there is nothing to repair after that.
    }

    @Override
    public void cancelled(TransferKey key) {
        group.droppedBy(this, key);
    }
}
