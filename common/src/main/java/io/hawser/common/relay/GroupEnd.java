package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Fragment;
import io.hawser.common.hop.HopLink;
import io.hawser.common.hop.HopSender;
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
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a subscription that several share: each transfer goes to one of them, and one delivers it. {@link Share} draws how,
 * {@link Shares} tells who gets what, {@link Permits} who may deliver it; this is who is there, and what they say.
 *
 * <p>A member that is away for longer than the relay's patience loses what it is not permitted to deliver; when it comes back it is told
 * to drop its part.
 *
 * <p>Thread: the relay's loop.
 */
final class GroupEnd extends SubscriptionEnd {
    private final LongSupplier steadyMillis;
    private final Map<NodeId, GroupMember> members = new LinkedHashMap<>();
    private final Shares shares;
    private final Permits permits;
    /** Overdue transfers that a member has been told to drop: it may have them by now, and says so. */
    private final Map<TransferKey, Receipt> givingUp = new HashMap<>();

    GroupEnd(Relay relay, RelayStore store, RelayLimits limits, SubscriptionSpec spec, LongSupplier steadyMillis) {
        super(relay, store, limits, spec);
        this.steadyMillis = steadyMillis;
        this.shares = new Shares(members, steadyMillis);
        this.permits = new Permits(store, spec.name(), shares);
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
        shares.connected(member);
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
        givingUp.keySet().removeIf(key -> shares.isAt(key, member)); // they are still overdue
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

    /** Who has that transfer, or gets it; null if nobody has been chosen. */
    @Nullable
    GroupMember memberOf(TransferKey key) {
        return shares.memberOf(key);
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
    List<MemberShare> memberShares() {
        long now = steadyMillis.getAsLong();
        List<MemberShare> all = new ArrayList<>();
        spec().roster()
                .members()
                .forEach((name, each) -> all.add(member(each.node(), name).share(each.subject(), now)));
        return all;
    }

    int pinnedTo(NodeId node) {
        return shares.pinnedTo(node);
    }

    @Override
    void tickSenders(long nowNanos) {
        long now = steadyMillis.getAsLong();
        for (GroupMember member : members.values()) {
            member.sender().tick(nowNanos);
            if (!member.connected() && member.awayMillis(now) >= limits.memberPatienceMillis()) {
                shares.takeFrom(member);
            }
        }
        shares.assign();
        if (!isBehind() && connected()) {
            relay.liveTransfers(spec().topic()).forEach(transfer -> offerLive(transfer, false));
        }
    }

    /** The operator's word that this node is lost is durable. */
    void lost(NodeId node) {
        shares.lost(node, members.remove(node));
    }

    // --- the feed
    @Override
    void offerLive(LiveTransfer transfer, boolean fresh) {
        shares.offerLive(transfer, fresh);
    }

    @Override
    void forward(Fragment fragment) {
        GroupMember member = shares.liveAt(fragment.key());
        if (member != null && member.connected()) {
            member.sender().forward(fragment);
        }
    }

    @Override
    void durable(TransferKey key, long index) {
        GroupMember member = shares.liveAt(key);
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
        if (shares.add(share)) {
            permits.register(share);
            shares.giveOut(share);
        }
    }

    @Override
    long fragmentBytes(TransferKey key) {
        Share share = shares.find(key);
        return share == null ? FULL_FRAGMENT_BYTES : fragmentBytes(share.manifest, share.commit);
    }

    @Override
    int fed() {
        return shares.committed();
    }

    @Override
    int size() {
        return shares.size();
    }

    @Override
    void cancelled(TransferKey key, String reason) {
        GroupMember member = shares.leaveLive(key);
        if (member != null) {
            member.sender().cancel(key, reason);
        }
    }

    @Override
    void forgotten(TransferKey key) {
        GroupMember member = shares.leaveLive(key);
        if (member != null) {
            member.sender().withdraw(key);
        }
    }

    // --- who may deliver
    /** Whether the COMMIT of a transfer, all of which is durable at that member, may leave. */
    boolean mayCommit(GroupMember member, TransferKey key) {
        return permits.mayCommit(member, key);
    }

    // --- what members say
    /** The whole of it is durable there; it will be delivered, and its receipt says how that ended. */
    void landed(TransferKey key) {
        givingUp.remove(key);
        Share share = shares.find(key);
        if (share != null) {
            share.landed = true;
        }
    }

    void receipt(GroupMember member, Receipt receipt, Runnable durable) {
        boolean fed = shares.find(receipt.key()) != null;
        checkReceipt(member.node(), receipt, fed, () -> take(member, receipt, durable), durable);
    }

    private void take(GroupMember member, Receipt receipt, Runnable durable) {
        Receipt own = new Receipt(
                        receipt.key(), spec().name(), receipt.status(), receipt.reason(), receipt.epochMillis())
                .byMember(member.name());
        if (!receipt.status().isFinal()) {
            relay.keepReceipt(own, durable);
            return;
        }
        givingUp.remove(receipt.key());
        Share share = shares.find(receipt.key());
        if (share != null && receipt.status() == ReceiptStatus.DELIVERED) {
            member.delivered(share.bytes());
        }
        keepFinal(own, durable);
        Shares.leave(share, member);
        finish(share);
    }

    void refused(GroupMember member, TransferKey key, Refusal refusal) {
        Share share = shares.find(key);
        if (refusal.code() == ErrorCode.ID_USED) {
            // It has finished it before: its receipt is here already, or comes.
            givingUp.remove(key);
            shares.leaveLive(key);
            if (share != null) {
                settle(key);
                Shares.leave(share, member);
                finish(share);
            }
        } else if (refusal.code() == ErrorCode.CANCELLED && share != null) {
            Receipt late = givingUp.remove(key);
            Shares.leave(share, member);
            expire(late == null ? lateBefore(key) : late);
        } else if (!refusal.code().retriable()) {
            givingUp.remove(key);
            shares.leaveLive(key);
            relay.keepFailure(
                    key,
                    spec().name(),
                    new Refusal(refusal.code(), "member " + member.name() + ": " + refusal.detail()));
            Shares.leave(share, member);
            finish(share);
        } else if (refusal.code() == ErrorCode.NO_SPACE) {
            shares.lacksRoom(member, key);
        }
    }

    /** It has dropped what it had of it, as it was told. */
    void droppedBy(GroupMember member, TransferKey key) {
        Receipt expired = givingUp.remove(key);
        Share share = shares.find(key);
        if (expired != null) {
            expire(expired);
        } else if (share != null && share.at == member) {
            member.offer(share); // it was told before the transfer came back to it
        } else if (shares.liveAt(key) == member) {
            shares.leaveLive(key); // it is offered to somebody again
        }
    }

    /** The group has said its final word of it. */
    private void finish(@Nullable Share share) {
        if (share != null && shares.remove(share)) {
            permits.release(share);
        }
        shares.assign();
        loadMore();
    }

    // --- the deadline
    @Override
    void giveUp(Receipt expired) {
        TransferKey key = expired.key();
        Share share = shares.find(key);
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
        GroupMember incoming = shares.leaveLive(expired.key()); // committed, and not fed yet
        if (incoming != null) {
            incoming.drop(expired.key());
        }
        keepFinal(expired, () -> {});
        finish(shares.find(expired.key()));
    }
}
