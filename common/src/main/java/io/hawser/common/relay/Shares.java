package io.hawser.common.relay;

import io.hawser.common.model.NodeId;
import io.hawser.common.model.TransferKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a group is owed, and which of its members gets it: committed transfers in commit order, others while they come in. Who has
 * little is given more; who has been away for too long, or has no room, loses what he may not have delivered.
 *
 * <p>Thread: the relay's loop.
 */
final class Shares {
    /** For so long a member that had no room comes last. */
    private static final long SHORT_MILLIS = 10_000;
    /** What any transfer costs a member, however small it is. */
    private static final long TRANSFER_BYTES = 64 << 10;
    /** When a member was given more than this lately, that of all members is halved: older transfers count less. */
    private static final long LATELY_BYTES = 8L << 20;

    /** A transfer that still comes in, and who gets it. */
    private record Incoming(GroupMember member, long bytes) {}

    private final Map<NodeId, GroupMember> members;
    private final LongSupplier steadyMillis;
    /** What is committed, was fed, and has no final word. */
    private final Map<TransferKey, Share> committed = new LinkedHashMap<>();
    /** Of these, what nobody has and anybody may get, in commit order. */
    private final TreeMap<Long, Share> waiting = new TreeMap<>();
    /** Who gets what still comes in. */
    private final Map<TransferKey, Incoming> live = new HashMap<>();

    /**
     * Creates it.
     *
     * @param members the group's, which come and go
     * @param steadyMillis a clock that is never set
     */
    Shares(Map<NodeId, GroupMember> members, LongSupplier steadyMillis) {
        this.members = members;
        this.steadyMillis = steadyMillis;
    }

    // --- what there is
    /** That transfer, if it is committed and has no final word. */
    @Nullable
    Share find(TransferKey key) {
        return committed.get(key);
    }

    /** Who has that transfer, or gets it; null if nobody has been chosen. */
    @Nullable
    GroupMember memberOf(TransferKey key) {
        Share share = committed.get(key);
        return share == null ? liveAt(key) : share.at;
    }

    /** Who gets that transfer as it comes in, or null. */
    @Nullable
    GroupMember liveAt(TransferKey key) {
        Incoming incoming = live.get(key);
        return incoming == null ? null : incoming.member();
    }

    boolean isAt(TransferKey key, GroupMember member) {
        Share share = committed.get(key);
        return share != null && share.at == member;
    }

    /** How many that node alone may deliver. */
    int pinnedTo(NodeId node) {
        return (int) committed.values().stream()
                .filter(share -> node.equals(share.pinnedTo()))
                .count();
    }

    /** Those that are committed. */
    int committed() {
        return committed.size();
    }

    /** Those and others that still come in. */
    int size() {
        return committed.size() + live.size();
    }

    // --- what comes
    /** A transfer comes in. {@code fresh} says that no member can have heard of it. */
    void offerLive(LiveTransfer transfer, boolean fresh) {
        TransferKey key = transfer.manifest.key();
        if (live.containsKey(key) || committed.containsKey(key)) {
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

    /** It does not come in any more, or for somebody else. Who got it. */
    @Nullable
    GroupMember leaveLive(TransferKey key) {
        Incoming incoming = live.remove(key);
        if (incoming == null) {
            return null;
        }
        incoming.member().comesIn(-1, -incoming.bytes());
        return incoming.member();
    }

    /** A transfer is committed. False if it was before. */
    boolean add(Share share) {
        return committed.putIfAbsent(share.key(), share) == null;
    }

    /** What was added goes to who alone may deliver it, else to who has got it as it came in, else to anybody. */
    void giveOut(Share share) {
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

    private void give(Share share, GroupMember member) {
        waiting.remove(share.sequence);
        share.at = member;
        member.add(share);
        charge(member, share.bytes());
    }

    private void charge(GroupMember member, long bytes) {
        member.setLately(member.lately() + bytes);
        while (member.lately() > LATELY_BYTES) {
            members.values().forEach(each -> each.setLately(each.lately() / 2));
        }
    }

    /** Gives out what waits, as far as there is room. */
    void assign() {
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
     * Chooses the member for a transfer. Of the connected members with room it is one that may have a part of the transfer, else the one
     * that has the least now, else the one that was given the least lately. A member that has just said that it has no room comes last.
     */
    private @Nullable GroupMember choose(TransferKey key, Predicate<GroupMember> hasRoom) {
        long now = steadyMillis.getAsLong();
        GroupMember chosen = members.values().stream()
                .filter(hasRoom)
                .min(Comparator.comparing((GroupMember member) -> member.isShort(now))
                        .thenComparing(member -> !member.mayHavePartOf(key))
                        .thenComparing(GroupMember::allBytes)
                        .thenComparing(GroupMember::allTransfers)
                        .thenComparing(GroupMember::lately)
                        .thenComparing(GroupMember::name))
                .orElse(null);
        if (chosen != null) {
            charge(chosen, TRANSFER_BYTES);
        }
        return chosen;
    }

    // --- who comes and goes
    /** A member is here: what it alone may deliver is its own, and of what waits it may get some. */
    void connected(GroupMember member) {
        // It is not given all until it has caught up with what the others got while it was away.
        members.values().stream()
                .filter(each -> each != member && each.connected())
                .mapToLong(GroupMember::lately)
                .min()
                .ifPresent(least -> member.setLately(Math.max(least, member.lately())));
        for (Share share : committed.values()) {
            if (share.at == null && member.node().equals(share.permit)) {
                give(share, member);
            }
        }
        assign();
    }

    /** It is away for too long: what it may not have delivered is free for others. */
    void takeFrom(GroupMember member) {
        for (Share share : List.copyOf(committed.values())) {
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

    /** A member has no room for that transfer: another gets it, if there is one that has and nobody may have delivered it. */
    void lacksRoom(GroupMember member, TransferKey key) {
        long now = steadyMillis.getAsLong();
        member.isShortUntil(now + SHORT_MILLIS);
        boolean others =
                members.values().stream().anyMatch(other -> other != member && other.hasRoom() && !other.isShort(now));
        Share share = committed.get(key);
        if (others && share != null && share.at == member && !share.isPinned()) {
            takeBack(share, member);
            assign();
        }
    }

    /** That node is lost, and was that member if it has been here: what it alone might deliver is free for others. */
    void lost(NodeId node, @Nullable GroupMember member) {
        for (Share share : List.copyOf(committed.values())) {
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

    // --- what ends
    /** That member is done with it. */
    static void leave(@Nullable Share share, GroupMember member) {
        if (share != null && share.at == member) {
            share.at = null;
            member.remove(share);
        }
    }

    /** The final word of it is said: who may have something of it, and had no permit, drops it. False if it was said before. */
    boolean remove(Share share) {
        if (!committed.remove(share.key(), share)) {
            return false;
        }
        waiting.remove(share.sequence);
        GroupMember member = share.at;
        if (member != null) {
            leave(share, member);
            if (!share.isPinned()) {
                member.drop(share.key());
            }
        }
        return true;
    }
}
