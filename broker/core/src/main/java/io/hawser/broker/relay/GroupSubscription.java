package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that several members share: each transfer goes to one of them, and one delivers it. {@link Assignment} has the
 * states of a transfer, {@link Assignments} chooses the member, {@link Permits} decides which one may deliver; this class handles the
 * members' sessions and messages.
 *
 * <p>A member that is away for longer than {@link RelayLimits#memberPatienceMillis} loses what it has no permit for; when it comes back it learns
 * to drop its part.
 *
 * <p>Thread: the relay's loop.
 */
final class GroupSubscription extends SubscriptionFeed {
    private final LongSupplier steadyMillis;
    private final Map<NodeId, GroupMember> members = new LinkedHashMap<>();
    final Assignments assignments;
    final Permits permits;
    /** Transfers that a member has been told to drop: it may have them by now, and says so. */
    private final Map<TransferKey, PendingDrop> givingUp = new HashMap<>();

    GroupSubscription(
            Relay relay, RelayStore store, RelayLimits limits, SubscriptionSpec spec, LongSupplier steadyMillis) {
        super(relay, store, limits, spec);
        this.steadyMillis = steadyMillis;
        this.assignments = new Assignments(members, steadyMillis);
        this.permits = new Permits(store, spec.name(), assignments);
    }

    // --- connected members
    @Override
    boolean connected() {
        return members.values().stream().anyMatch(GroupMember::connected);
    }

    @Override
    boolean isLink(HopLink link) {
        return members.values().stream().anyMatch(member -> member.isLink(link));
    }

    boolean connected(NodeId node) {
        GroupMember member = members.get(node);
        return member != null && member.connected();
    }

    @Override
    HopSender connect(NodeId node, HopLink link) {
        String name = spec().roster().nameOf(node).orElseThrow();
        GroupMember member = member(node, name);
        if (member.connected()) {
            disconnect(member);
        }
        member.rename(name);
        member.connect(link);
        assignments.connected(member);
        assignments.recalledAt(node).forEach(member::offer);
        member.sendDrops();
        loadMore();
        return member.sender();
    }

    private GroupMember member(NodeId node, String name) {
        return members.computeIfAbsent(
                node, unused -> new GroupMember(this, limits.hop(), node, name, steadyMillis.getAsLong()));
    }

    @Override
    void disconnect(HopLink link) {
        members.values().stream().filter(member -> member.isLink(link)).forEach(this::disconnect);
    }

    private void disconnect(GroupMember member) {
        member.disconnect(steadyMillis.getAsLong());
        givingUp.values()
                .removeIf(
                        each -> !each.isByOperator() && assignments.isAt(each.receipt.key(), member)); // still overdue
        if (!connected()) {
            fallBehind();
        }
    }

    @Override
    @Nullable
    HopSender sender(TransferKey key) {
        GroupMember member = memberOf(key);
        return member == null ? null : member.sender();
    }

    /** The member that has or gets that transfer; null if none is chosen. */
    @Nullable
    GroupMember memberOf(TransferKey key) {
        return assignments.memberOf(key);
    }

    @Override
    void stages(int most, BiConsumer<TransferKey, WaitStage> visitor) {
        members.values().forEach(member -> member.sender().stages(most, visitor));
    }

    @Override
    long longestIdleMillis() {
        return members.values().stream()
                .mapToLong(member -> member.sender().longestIdleMillis())
                .max()
                .orElse(0);
    }

    @Override
    Optional<HopSender.Stopped> longestStopped() {
        return members.values().stream()
                .flatMap(member -> member.sender().longestStopped().stream())
                .max(Comparator.comparingLong(HopSender.Stopped::millis));
    }

    /** Everyone of the roster and his share, for people. */
    List<GroupMemberStatus> memberStatuses() {
        long now = steadyMillis.getAsLong();
        List<GroupMemberStatus> all = new ArrayList<>();
        spec().roster()
                .members()
                .forEach((name, each) -> all.add(member(each.node(), name).status(each.subject(), now)));
        return all;
    }

    @Override
    void tickSenders(long nowNanos) {
        long now = steadyMillis.getAsLong();
        for (GroupMember member : members.values()) {
            member.tick(nowNanos);
            if (!member.connected() && member.awayMillis(now) >= limits.memberPatienceMillis()) {
                assignments.takeFrom(member);
            }
        }
        assignments.assign();
        if (!isBehind() && connected()) {
            relay.liveTransfers(spec().topic()).forEach(transfer -> offerLive(transfer, false));
        }
    }

    /** The operator's word that this node is lost is durable. */
    void lost(NodeId node) {
        GroupMember member = members.get(node);
        if (member != null) { // its answers never come
            List<TransferKey> asked = givingUp.keySet().stream()
                    .filter(key -> assignments.isAt(key, member))
                    .toList();
            asked.forEach(key -> expire(Objects.requireNonNull(givingUp.remove(key))));
        }
        for (Assignment assignment : assignments.recalledAt(node)) {
            cancel(assignment.key(), assignment, Objects.requireNonNull(assignment.recall));
        }
        assignments.lost(node, members.remove(node));
    }

    // --- the feed
    @Override
    void offerLive(LiveTransfer transfer, boolean fresh) {
        assignments.offerLive(transfer, fresh);
    }

    @Override
    void forward(Fragment fragment) {
        GroupMember member = assignments.liveAt(fragment.key());
        if (member != null && member.connected()) {
            member.sender().forward(fragment);
        }
    }

    @Override
    void durable(TransferKey key, long index) {
        GroupMember member = assignments.liveAt(key);
        if (member != null) {
            member.sender().available(key, new FragmentRange(index, index + 1), null);
        }
    }

    @Override
    void feed(Manifest manifest, Commit commit, long sequence, @Nullable Fragment small) {
        feed(new Assignment(manifest, commit, sequence));
    }

    @Override
    void feed(KeptTransfer kept, Commit commit) {
        Assignment assignment = new Assignment(kept.manifest(), commit, kept.commitSequence());
        NodeId permitted = kept.permits().get(spec().name());
        if (permitted != null && spec().roster().has(permitted)) {
            assignment.permit = permitted;
        }
        feed(assignment);
    }

    private void feed(Assignment assignment) {
        if (assignments.add(assignment)) {
            permits.register(assignment);
            assignments.giveOut(assignment);
        }
    }

    @Override
    long fragmentBytes(TransferKey key) {
        Assignment assignment = assignments.find(key);
        return assignment == null ? FULL_FRAGMENT_BYTES : fragmentBytes(assignment.manifest, assignment.commit);
    }

    @Override
    int fed() {
        return assignments.committed();
    }

    @Override
    int size() {
        int sent = members.values().stream()
                .mapToInt(member -> member.sender().size())
                .sum();
        return Math.max(assignments.size(), sent); // a member may not say that it has dropped what it was told to drop
    }

    @Override
    long memoryBytes() {
        long sent = members.values().stream()
                .mapToLong(member -> member.sender().memoryBytes())
                .sum();
        return Math.max(assignments.memoryBytes(), sent);
    }

    @Override
    void cancelled(TransferKey key, String reason) {
        GroupMember member = assignments.leaveLive(key);
        if (member != null) {
            member.cancel(key, reason);
        }
    }

    @Override
    void forgotten(TransferKey key) {
        GroupMember member = assignments.leaveLive(key);
        if (member != null) {
            member.sender().withdraw(key);
        }
    }

    // --- what members say
    /** The whole of it is durable there; it will be delivered, and its receipt says how that ended. */
    void landed(TransferKey key) {
        keeps(key, HAS_ALL);
        Assignment assignment = assignments.find(key);
        if (assignment != null) {
            assignment.landed = true;
        }
    }

    void receipt(GroupMember member, Receipt receipt, Runnable durable) {
        boolean fed = assignments.find(receipt.key()) != null;
        checkReceipt(member.node(), receipt, fed, () -> take(member, receipt, durable), durable);
    }

    private void take(GroupMember member, Receipt receipt, Runnable durable) {
        Receipt own = new Receipt(
                        receipt.key(), spec().name(), receipt.status(), receipt.reason(), receipt.epochMillis())
                .byMember(member.name());
        if (!receipt.status().isFinal()) {
            relay.receipts().keep(own, durable);
            return;
        }
        keeps(receipt.key(), HAS_ENDED);
        Assignment assignment = assignments.find(receipt.key());
        if (assignment != null && receipt.status() == ReceiptStatus.DELIVERED) {
            member.delivered(assignment.bytes());
        }
        keepFinal(own, durable);
        Assignments.leave(assignment, member);
        finish(assignment);
    }

    void refused(GroupMember member, TransferKey key, Refusal refusal) {
        Assignment assignment = assignments.find(key);
        if (refusal.code() == ErrorCode.ID_USED) {
            // It has finished it before: its receipt is here already, or comes.
            keeps(key, HAS_ALL);
            assignments.leaveLive(key);
            if (assignment != null) {
                settle(key);
                Assignments.leave(assignment, member);
                finish(assignment);
            }
        } else if (refusal.code() == ErrorCode.CANCELLED && assignment != null) {
            PendingDrop pending = givingUp.remove(key);
            Assignments.leave(assignment, member);
            expire(pending == null ? PendingDrop.overdue(lateBefore(key)) : pending);
        } else if (!refusal.code().retriable()) {
            keeps(key, "member " + member.name() + " refused it: " + refusal.detail());
            assignments.leaveLive(key);
            fail(
                    member,
                    key,
                    assignment,
                    new Refusal(refusal.code(), "member " + member.name() + ": " + refusal.detail()));
        } else if (refusal.code() == ErrorCode.NO_SPACE) {
            assignments.lacksRoom(member, key);
        }
    }

    /**
     * It had all of it, and no longer has it. The bytes are still here, but it may have delivered them before it lost them: so they go to
     * nobody, and the publisher decides.
     */
    void lostBy(GroupMember member, TransferKey key) {
        Assignment assignment = assignments.find(key);
        if (assignment != null && assignment.at == member && assignment.landed) {
            fail(member, key, assignment, ConsumerReconciliation.lost("member " + member.name()));
        }
    }

    private void fail(GroupMember member, TransferKey key, @Nullable Assignment assignment, Refusal refusal) {
        relay.receipts().keepFailure(key, spec().name(), refusal);
        Assignments.leave(assignment, member);
        finish(assignment);
    }

    /** It has dropped what it had of it, as it was told. */
    void droppedBy(GroupMember member, TransferKey key) {
        PendingDrop pending = givingUp.remove(key);
        Assignment assignment = assignments.find(key);
        if (pending != null) {
            expire(pending);
        } else if (assignment != null && assignment.at == member) {
            member.offer(assignment); // it was told before the transfer came back to it
        } else if (assignments.liveAt(key) == member) {
            assignments.leaveLive(key); // it is offered to another member
        }
    }

    /** The group has said its final word of it. */
    private void finish(@Nullable Assignment assignment) {
        if (assignment != null && assignments.remove(assignment)) {
            permits.release(assignment);
        }
        assignments.assign();
        loadMore();
    }

    // --- the deadline, and operators that drop
    @Override
    void giveUp(PendingDrop pending) {
        TransferKey key = pending.receipt.key();
        Assignment assignment = assignments.find(key);
        String why = whyKept(key, assignment);
        if (why != null) {
            pending.kept(why);
            return;
        }
        GroupMember permitted = assignment == null || assignment.permit == null ? null : assignment.at;
        if (permitted != null && permitted.connected() && permitted.sender().has(key)) {
            pending.asked();
            PendingDrop earlier = givingUp.putIfAbsent(key, pending);
            if (earlier == null) {
                permitted.sender().cancel(key, pending.receipt.reason());
            } else {
                earlier.join(pending);
            }
            return;
        }
        PendingDrop earlier = givingUp.remove(key);
        if (earlier != null) {
            pending.join(earlier);
        }
        if (permitted != null) {
            permitted.sender().cancel(key, pending.receipt.reason());
        }
        expire(pending);
    }

    @Override
    void recall(KeptTransfer kept, String reason) {
        TransferKey key = kept.manifest().key();
        stop(key, reason);
        Assignment assignment = assignments.find(key);
        NodeId permitted = kept.permits().get(spec().name());
        if (assignment == null && permitted != null && spec().roster().has(permitted)) {
            Assignment only =
                    new Assignment(kept.manifest(), Objects.requireNonNull(kept.commit()), kept.commitSequence());
            only.permit = permitted;
            only.recall = reason;
            feed(only);
        } else if (assignment == null || !assignment.isPinned()) {
            cancel(key, assignment, reason);
        } else if (assignment.permit != null && assignment.at != null) {
            assignment.at.offer(assignment); // asks it; while its permit is being made durable, that comes after
        }
    }

    @Override
    void stop(TransferKey key, String reason) {
        keeps(key, IS_CANCELLED);
        GroupMember incoming = assignments.leaveLive(key);
        if (incoming != null) {
            incoming.drop(key);
        }
        Assignment assignment = assignments.find(key);
        if (assignment != null) {
            assignments.stop(assignment, reason);
        }
    }

    @Override
    boolean hold(TransferKey key) {
        Assignment assignment = assignments.find(key);
        return !isSettling(key) && (assignment == null || assignments.hold(assignment));
    }

    @Override
    void release(TransferKey key) {
        Assignment assignment = assignments.find(key);
        if (assignment != null) {
            assignments.release(assignment);
        }
    }

    @Override
    void prioritise(TransferKey key, int priority) {
        Assignment assignment = assignments.find(key);
        if (assignment != null) {
            assignment.priority = priority;
            GroupMember member = assignment.at;
            if (member != null) {
                member.sender().prioritise(key, priority);
            }
        }
    }

    @Override
    int heldTransfers() {
        return assignments.held();
    }

    /** No member can have delivered it. */
    private void cancel(TransferKey key, @Nullable Assignment assignment, String reason) {
        keepFinal(cancelledReceipt(key, reason), () -> {});
        finish(assignment);
    }

    private @Nullable String whyKept(TransferKey key, @Nullable Assignment assignment) {
        if (isSettling(key)) {
            return BEING_SETTLED;
        }
        if (assignment == null || !(assignment.landed || assignment.permitting)) {
            return null;
        }
        GroupMember member = assignment.at;
        if (member == null || !assignment.landed) {
            return "which member may deliver it is being made durable";
        }
        String only = "only member " + member.name() + " may deliver it";
        return member.connected()
                ? only + ", and has all of it"
                : only + ", has all of it and is away; if it is gone for good, say 'hawser subscriptions lost "
                        + spec().name() + " " + member.name() + "'";
    }

    private void expire(PendingDrop pending) {
        TransferKey key = pending.receipt.key();
        GroupMember incoming = assignments.leaveLive(key); // committed, and not fed yet
        if (incoming != null) {
            incoming.drop(key);
        }
        keepFinal(pending.receipt, pending::expired);
        finish(assignments.find(key));
    }

    private void keeps(TransferKey key, String reason) {
        PendingDrop pending = givingUp.remove(key);
        if (pending != null) {
            pending.kept(reason);
        }
    }
}
