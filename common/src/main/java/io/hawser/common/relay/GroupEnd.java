package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Fragment;
import io.hawser.common.hop.HopLink;
import io.hawser.common.hop.HopSender;
import io.hawser.common.hop.PathOrder;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Commit;
import io.hawser.common.model.FragmentRange;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Receipt;
import io.hawser.common.model.ReceiptStatus;
import io.hawser.common.model.SubscriptionSpec;
import io.hawser.common.model.TransferKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The end of a subscription that several share: each transfer goes to one of them, and one delivers it. {@link Share} draws how.
 *
 * <p><b>One delivery.</b> A consumer delivers nothing before its COMMIT. So data may be anywhere, and may be sent to another at any
 * time; but a COMMIT leaves only when the whole is durable at the member, and when the log says durably that this member, and no
 * other, may deliver it ({@link RelayRecord.Permitted}). From then on the transfer is the member's until its final receipt, whoever
 * crashes; it is taken away by nothing but an operator's word that the member is lost, and then that node is never let in again.
 *
 * <p><b>Order by path</b> holds over all members: of two transfers that touch one path the later is permitted when the earlier has its
 * final receipt.
 *
 * <p>A member that is away for longer than the relay's patience loses what it is not permitted to deliver; when it comes back it is told
 * to drop its part.
 *
 * <p>Thread: the relay's loop.
 */
final class GroupEnd extends SubscriptionEnd {
    /** For so long a member that had no room comes last. */
    private static final long SHORT_MILLIS = 10_000;

    /** A transfer that still comes in, and who gets it. */
    private record Incoming(GroupMember member, long bytes) {}

    private final LongSupplier steadyMillis;
    private final Map<NodeId, GroupMember> members = new LinkedHashMap<>();
    /** What is committed, was fed, and has no final word. */
    private final Map<TransferKey, Share> shares = new LinkedHashMap<>();
    /** Of these, what nobody has and anybody may get, in commit order. */
    private final TreeMap<Long, Share> waiting = new TreeMap<>();
    /** Who gets what still comes in. */
    private final Map<TransferKey, Incoming> live = new HashMap<>();

    private final PathOrder order = new PathOrder();
    /** Overdue transfers that a member has been told to drop: it may have them by now, and says so. */
    private final Map<TransferKey, Receipt> givingUp = new HashMap<>();

    GroupEnd(Relay relay, RelayStore store, RelayLimits limits, SubscriptionSpec spec, LongSupplier steadyMillis) {
        super(relay, store, limits, spec);
        this.steadyMillis = steadyMillis;
    }

    // --- who is there
    @Override
    boolean connected() {
        return members.values().stream().anyMatch(GroupMember::connected);
    }

    @Override
    boolean isLink(HopLink link) {
        return members.values().stream().anyMatch(member -> member.isLink(link));
    }

    /** Whether that node is here. */
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
        for (Share share : shares.values()) {
            if (share.at == null && node.equals(share.permit)) {
                give(share, member);
            }
        }
        assign();
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
        givingUp.keySet().removeIf(key -> isAt(key, member)); // they are still overdue
        if (!connected()) {
            fallBehind();
        }
    }

    private boolean isAt(TransferKey key, GroupMember member) {
        Share share = shares.get(key);
        return share != null && share.at == member;
    }

    @Override
    @Nullable
    HopSender sender(TransferKey key) {
        GroupMember member = memberOf(key);
        return member == null ? null : member.sender();
    }

    /** Who has that transfer, or gets it; null if nobody has been chosen. */
    @Nullable
    GroupMember memberOf(TransferKey key) {
        Share share = shares.get(key);
        return share == null ? liveAt(key) : share.at;
    }

    @Override
    long longestIdleMillis() {
        return members.values().stream()
                .mapToLong(member -> member.sender().longestIdleMillis())
                .max()
                .orElse(0);
    }

    /** Everyone of the roster and his share, for people. */
    List<MemberShare> memberShares() {
        long now = steadyMillis.getAsLong();
        List<MemberShare> all = new ArrayList<>();
        spec().roster()
                .members()
                .forEach((name, node) -> all.add(member(node, name).share(now)));
        return all;
    }

    int pinnedTo(NodeId node) {
        return (int) shares.values().stream()
                .filter(share -> node.equals(share.pinnedTo()))
                .count();
    }

    @Override
    void tickSenders(long nowNanos) {
        long now = steadyMillis.getAsLong();
        for (GroupMember member : members.values()) {
            member.sender().tick(nowNanos);
            if (!member.connected() && member.awayMillis(now) >= limits.memberPatienceMillis()) {
                takeFrom(member);
            }
        }
        assign();
        if (!isBehind() && connected()) {
            relay.liveTransfers(spec().topic()).forEach(transfer -> offerLive(transfer, false));
        }
    }

    /** It is away for too long: what it may not have delivered is free for others. */
    private void takeFrom(GroupMember member) {
        for (Share share : List.copyOf(shares.values())) {
            if (share.at == member && !share.isPinned()) {
                takeBack(share, member);
            }
        }
        for (TransferKey key : List.copyOf(live.keySet())) {
            if (liveAt(key) == member) {
                leaveLive(key);
                member.drop(key);
            }
        }
    }

    private void takeBack(Share share, GroupMember member) {
        share.at = null;
        member.remove(share);
        member.drop(share.key());
        waiting.put(share.sequence, share);
    }

    /**
     * The operator's word that this node is lost is durable: what it alone might deliver is free for others.
     */
    void lost(NodeId node) {
        GroupMember member = members.remove(node);
        for (Share share : List.copyOf(shares.values())) {
            if (node.equals(share.permit) || (member != null && share.at == member)) {
                share.at = null;
                share.permit = null;
                share.landed = false;
                waiting.put(share.sequence, share);
            }
        }
        live.values().removeIf(each -> each.member() == member);
        assign();
    }

    // --- the feed
    @Override
    void offerLive(LiveTransfer transfer, boolean fresh) {
        TransferKey key = transfer.manifest.key();
        if (live.containsKey(key) || shares.containsKey(key)) {
            return;
        }
        GroupMember member = choose(key, GroupMember::hasRoomForMoreThatComesIn);
        if (member != null) {
            long bytes = Math.max(0, transfer.manifest.sizeBytes());
            live.put(key, new Incoming(member, bytes));
            member.comesIn(1, bytes);
            member.offer(transfer, fresh);
        }
    }

    @Override
    void forward(Fragment fragment) {
        GroupMember member = liveAt(fragment.key());
        if (member != null && member.connected()) {
            member.sender().forward(fragment);
        }
    }

    @Override
    void durable(TransferKey key, long index) {
        GroupMember member = liveAt(key);
        if (member != null) {
            member.sender().available(key, new FragmentRange(index, index + 1), null);
        }
    }

    @Override
    void feed(Manifest manifest, Commit commit, long sequence, @Nullable Fragment small) {
        feed(new Share(manifest, commit, sequence));
    }

    @Override
    void feed(KeptTransfer kept, Commit commit) {
        Share share = new Share(kept.manifest(), commit, kept.commitSequence());
        NodeId permitted = kept.permits().get(spec().name());
        if (permitted != null && spec().roster().has(permitted)) {
            share.permit = permitted;
        }
        feed(share);
    }

    private void feed(Share share) {
        if (shares.putIfAbsent(share.key(), share) != null) {
            return;
        }
        order.register(share.manifest, share.sequence);
        GroupMember before = leaveLive(share.key());
        if (share.permit != null) {
            GroupMember member = members.get(share.permit);
            if (member != null && member.connected()) {
                give(share, member);
            }
        } else if (before != null) {
            give(share, before);
        } else {
            waiting.put(share.sequence, share);
            assign();
        }
    }

    private @Nullable GroupMember liveAt(TransferKey key) {
        Incoming incoming = live.get(key);
        return incoming == null ? null : incoming.member();
    }

    /** It does not come in any more, or for somebody else. Who got it. */
    private @Nullable GroupMember leaveLive(TransferKey key) {
        Incoming incoming = live.remove(key);
        if (incoming == null) {
            return null;
        }
        incoming.member().comesIn(-1, -incoming.bytes());
        return incoming.member();
    }

    private void give(Share share, GroupMember member) {
        waiting.remove(share.sequence);
        share.at = member;
        member.add(share);
    }

    /** Gives out what waits, as far as there is room. */
    private void assign() {
        while (!waiting.isEmpty()) {
            Share first = waiting.firstEntry().getValue();
            GroupMember member = choose(first.key(), GroupMember::hasRoom);
            if (member == null) {
                return;
            }
            give(first, member);
        }
    }

    /**
     * Who is to get a transfer: of those that are here and have room who may have a part of it, else who has the least. Who has said
     * lately that he has no room comes last.
     */
    private @Nullable GroupMember choose(TransferKey key, Predicate<GroupMember> hasRoom) {
        long now = steadyMillis.getAsLong();
        return members.values().stream()
                .filter(hasRoom)
                .min(Comparator.comparing((GroupMember member) -> member.isShort(now))
                        .thenComparing(member -> !member.mayHavePartOf(key))
                        .thenComparing(GroupMember::allBytes)
                        .thenComparing(GroupMember::allTransfers)
                        .thenComparing(GroupMember::name))
                .orElse(null);
    }

    @Override
    long fragmentBytes(TransferKey key) {
        Share share = shares.get(key);
        return share == null ? FULL_FRAGMENT_BYTES : fragmentBytes(share.manifest, share.commit);
    }

    @Override
    int fed() {
        return shares.size();
    }

    @Override
    int size() {
        return shares.size() + live.size();
    }

    @Override
    void cancelled(TransferKey key, String reason) {
        GroupMember member = leaveLive(key);
        if (member != null) {
            member.sender().cancel(key, reason);
        }
    }

    @Override
    void forgotten(TransferKey key) {
        GroupMember member = leaveLive(key);
        if (member != null) {
            member.sender().withdraw(key);
        }
    }

    // --- who may deliver
    /** Whether the COMMIT of a transfer, all of which is durable at that member, may leave. If not, and it is its turn, that is asked for. */
    boolean mayCommit(GroupMember member, TransferKey key) {
        Share share = shares.get(key);
        if (share == null || share.at != member) {
            return false;
        } else if (share.permit != null) {
            return share.permit.equals(member.node());
        } else if (share.permitting || order.mustWait(share.manifest, share.sequence)) {
            return false;
        }
        share.permitting = true;
        store.append(new RelayRecord.Permitted(key, spec().name(), member.node()), outcome -> {
            share.permitting = false;
            if (!outcome.isRefused() && shares.get(key) == share) {
                share.permit = member.node();
                member.sender().tryCommit(key);
            }
        });
        return false;
    }

    // --- what members say
    /** The whole of it is durable there; it will be delivered, and its receipt says how that ended. */
    void landed(TransferKey key) {
        givingUp.remove(key);
        Share share = shares.get(key);
        if (share != null) {
            share.landed = true;
        }
    }

    void receipt(GroupMember member, Receipt receipt, Runnable durable) {
        Receipt own = new Receipt(
                        receipt.key(), spec().name(), receipt.status(), receipt.reason(), receipt.epochMillis())
                .byMember(member.name());
        if (!receipt.status().isFinal()) {
            relay.keepReceipt(own, durable);
            return;
        }
        givingUp.remove(receipt.key());
        Share share = shares.get(receipt.key());
        if (share != null && receipt.status() == ReceiptStatus.DELIVERED) {
            member.delivered(share.bytes());
        }
        keepFinal(own, durable);
        leave(share, member);
        finish(share);
    }

    void refused(GroupMember member, TransferKey key, Refusal refusal) {
        Share share = shares.get(key);
        if (refusal.code() == ErrorCode.ID_USED) {
            // It has finished it before: its receipt is here already, or comes.
            givingUp.remove(key);
            leaveLive(key);
            if (share != null) {
                settle(key);
                leave(share, member);
                finish(share);
            }
        } else if (!refusal.code().retriable()) {
            givingUp.remove(key);
            leaveLive(key);
            relay.keepFailure(
                    key,
                    spec().name(),
                    new Refusal(refusal.code(), "member " + member.name() + ": " + refusal.detail()));
            leave(share, member);
            finish(share);
        } else if (refusal.code() == ErrorCode.NO_SPACE) {
            long now = steadyMillis.getAsLong();
            member.isShortUntil(now + SHORT_MILLIS);
            boolean others = othersWithRoom(member, now);
            if (others && share != null && share.at == member && !share.isPinned()) {
                takeBack(share, member);
                assign();
            }
        }
    }

    private boolean othersWithRoom(GroupMember member, long now) {
        return connectedMembers().anyMatch(other -> other != member && other.hasRoom() && !other.isShort(now));
    }

    private Stream<GroupMember> connectedMembers() {
        return members.values().stream().filter(GroupMember::connected);
    }

    /** It has dropped what it had of it, as it was told. */
    void droppedBy(GroupMember member, TransferKey key) {
        Receipt expired = givingUp.remove(key);
        Share share = shares.get(key);
        if (expired != null) {
            expire(expired);
        } else if (share != null && share.at == member) {
            member.offer(share); // it was told before the transfer came back to it
        } else {
            if (liveAt(key) == member) {
                leaveLive(key); // it is offered to somebody again
            }
        }
    }

    /** That member is done with it. */
    private static void leave(@Nullable Share share, GroupMember member) {
        if (share != null && share.at == member) {
            share.at = null;
            member.remove(share);
        }
    }

    /** The group has said its final word of it. */
    private void finish(@Nullable Share share) {
        if (share != null && shares.remove(share.key(), share)) {
            waiting.remove(share.sequence);
            GroupMember member = share.at;
            if (member != null) {
                leave(share, member);
                if (!share.isPinned()) {
                    member.drop(share.key());
                }
            }
            for (TransferKey next : order.release(share.manifest, share.sequence)) {
                Share successor = shares.get(next);
                if (successor != null && successor.at != null) {
                    successor.at.sender().tryCommit(next);
                }
            }
        }
        assign();
        loadMore();
    }

    // --- the deadline
    @Override
    void giveUp(Receipt expired) {
        TransferKey key = expired.key();
        Share share = shares.get(key);
        if (isSettling(key) || (share != null && (share.landed || share.permitting))) {
            return;
        }
        if (share != null && share.permit != null && share.at != null) {
            GroupMember member = Objects.requireNonNull(share.at);
            boolean asks = member.connected() && member.sender().has(key);
            if (asks && givingUp.putIfAbsent(key, expired) != null) {
                return;
            }
            member.sender().cancel(key, expired.reason());
            if (asks) {
                return;
            }
        }
        expire(expired);
    }

    private void expire(Receipt expired) {
        keepFinal(expired, () -> {});
        finish(shares.get(expired.key()));
    }
}
