package io.hawser.broker.relay;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
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
 * Assigns a group's transfers to its members: committed ones in commit order, others while they arrive. Members with little load get
 * more; a member that is away for too long, or has no space, loses the transfers that it cannot have delivered.
 *
 * <p>Thread: the relay's loop.
 */
final class Assignments {
    /** For so long a member that had no room comes last. */
    private static final long SHORT_MILLIS = 10_000;
    /** What any transfer costs a member, however small it is. */
    private static final long TRANSFER_BYTES = 64 << 10;
    /** When a member was given more than this lately, that of all members is halved: older transfers count less. */
    private static final long LATELY_BYTES = 8L << 20;

    /** A transfer that is still arriving, and its member. */
    private record Incoming(GroupMember member, long bytes) {}

    private final Map<NodeId, GroupMember> members;
    private final LongSupplier steadyMillis;
    /** What is committed, was fed, and has no final word. */
    private final Map<TransferKey, Assignment> committed = new LinkedHashMap<>();

    private long memoryBytes;
    private int held;
    /** Of these, the unassigned ones that any member may get, in commit order. */
    private final TreeMap<Long, Assignment> waiting = new TreeMap<>();
    /** The member of each transfer that is still arriving. */
    private final Map<TransferKey, Incoming> live = new HashMap<>();

    /**
     * @param members the group's, which come and go
     * @param steadyMillis a clock that is never set
     */
    Assignments(Map<NodeId, GroupMember> members, LongSupplier steadyMillis) {
        this.members = members;
        this.steadyMillis = steadyMillis;
    }

    // --- what there is
    /** That transfer, if it is committed and has no final word. */
    @Nullable
    Assignment find(TransferKey key) {
        return committed.get(key);
    }

    /** The member that has or gets that transfer; null if none is chosen. */
    @Nullable
    GroupMember memberOf(TransferKey key) {
        Assignment assignment = committed.get(key);
        return assignment == null ? liveAt(key) : assignment.at;
    }

    /** The member that gets that transfer as it arrives, or null. */
    @Nullable
    GroupMember liveAt(TransferKey key) {
        Incoming incoming = live.get(key);
        return incoming == null ? null : incoming.member();
    }

    boolean isAt(TransferKey key, GroupMember member) {
        Assignment assignment = committed.get(key);
        return assignment != null && assignment.at == member;
    }

    /** What that member has all of and has not given its last word on. */
    List<TransferKey> landedAt(GroupMember member) {
        return committed.values().stream()
                .filter(assignment -> assignment.at == member && assignment.landed)
                .map(Assignment::key)
                .limit(ConsumerReconciliation.MAX_CHECKED)
                .toList();
    }

    /** How many that node alone may deliver. */
    int pinnedTo(NodeId node) {
        return (int) committed.values().stream()
                .filter(assignment -> node.equals(assignment.pinnedTo()))
                .count();
    }

    int committed() {
        return committed.size();
    }

    /** What their descriptions take in memory. */
    long memoryBytes() {
        return memoryBytes;
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

    /** Ends the assignment of an arriving transfer, and returns its member. */
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
    boolean add(Assignment assignment) {
        boolean added = committed.putIfAbsent(assignment.key(), assignment) == null;
        memoryBytes += added ? assignment.manifest.memoryBytes() : 0;
        return added;
    }

    /** Added transfers go to the member with the permit, else to the one that got them as they arrived, else to any. */
    void giveOut(Assignment assignment) {
        GroupMember before = leaveLive(assignment.key());
        if (assignment.permit != null) {
            GroupMember member = members.get(assignment.permit);
            if (member != null && member.connected()) {
                give(assignment, member);
            }
        } else if (before != null) {
            give(assignment, before);
        } else {
            waiting.put(assignment.sequence, assignment);
            assign();
        }
    }

    private void give(Assignment assignment, GroupMember member) {
        waiting.remove(assignment.sequence);
        assignment.at = member;
        member.add(assignment);
        charge(member, assignment.bytes());
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
            Assignment first = waiting.firstEntry().getValue();
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

    // --- members that come and go
    /** A member is here: what it alone may deliver is its own, and of what waits it may get some. */
    void connected(GroupMember member) {
        // It is not given all until it has caught up with what the others got while it was away.
        members.values().stream()
                .filter(each -> each != member && each.connected())
                .mapToLong(GroupMember::lately)
                .min()
                .ifPresent(least -> member.setLately(Math.max(least, member.lately())));
        for (Assignment assignment : committed.values()) {
            if (assignment.at == null && member.node().equals(assignment.permit)) {
                give(assignment, member);
            }
        }
        assign();
    }

    /** It is away for too long: what it may not have delivered is free for others. */
    void takeFrom(GroupMember member) {
        for (Assignment assignment : List.copyOf(committed.values())) {
            if (assignment.at == member && !assignment.isPinned()) {
                takeBack(assignment, member);
            }
        }
        for (TransferKey key : List.copyOf(live.keySet())) {
            if (liveAt(key) == member) {
                leaveLive(key);
                member.drop(key);
            }
        }
    }

    private void takeBack(Assignment assignment, GroupMember member) {
        assignment.at = null;
        member.remove(assignment);
        member.drop(assignment.key());
        if (assignment.recall == null && !assignment.held) {
            waiting.put(assignment.sequence, assignment);
        }
    }

    /** No member gets it until it is released. False if one may have delivered it. */
    boolean hold(Assignment assignment) {
        if (assignment.isPinned() || assignment.recall != null) {
            return false;
        }
        held += assignment.held ? 0 : 1;
        assignment.held = true;
        GroupMember member = assignment.at;
        if (member != null) {
            takeBack(assignment, member);
        }
        waiting.remove(assignment.sequence);
        return true;
    }

    void release(Assignment assignment) {
        if (assignment.held) {
            held--;
            assignment.held = false;
            waiting.put(assignment.sequence, assignment);
            assign();
        }
    }

    int held() {
        return held;
    }

    /** It is cancelled: no member gets it from now on. */
    void stop(Assignment assignment, String reason) {
        assignment.recall = reason;
        waiting.remove(assignment.sequence);
        GroupMember member = assignment.at;
        if (member != null) {
            member.sender().abandon(assignment.key());
        }
    }

    /** The cancelled ones that only that node may deliver. */
    List<Assignment> recalledAt(NodeId node) {
        return committed.values().stream()
                .filter(assignment -> assignment.recall != null && node.equals(assignment.permit))
                .toList();
    }

    /** A member has no room for that transfer: another gets it, if one has room and no member may have delivered it. */
    void lacksRoom(GroupMember member, TransferKey key) {
        long now = steadyMillis.getAsLong();
        member.isShortUntil(now + SHORT_MILLIS);
        boolean others =
                members.values().stream().anyMatch(other -> other != member && other.hasRoom() && !other.isShort(now));
        Assignment assignment = committed.get(key);
        if (others && assignment != null && assignment.at == member && !assignment.isPinned()) {
            takeBack(assignment, member);
            assign();
        }
    }

    /** That node is lost, and was that member if it has been here: what it alone might deliver is free for others. */
    void lost(NodeId node, @Nullable GroupMember member) {
        for (Assignment assignment : List.copyOf(committed.values())) {
            if (node.equals(assignment.permit) || (member != null && assignment.at == member)) {
                assignment.at = null;
                assignment.permit = null;
                assignment.landed = false;
                waiting.put(assignment.sequence, assignment);
            }
        }
        live.values().removeIf(each -> each.member() == member);
        assign();
    }

    // --- what ends
    /** That member is done with it. */
    static void leave(@Nullable Assignment assignment, GroupMember member) {
        if (assignment != null && assignment.at == member) {
            assignment.at = null;
            member.remove(assignment);
        }
    }

    /** The transfer has its final receipt: members that may have some of it, without a permit, drop it. False if it had one before. */
    boolean remove(Assignment assignment) {
        if (!committed.remove(assignment.key(), assignment)) {
            return false;
        }
        memoryBytes -= assignment.manifest.memoryBytes();
        held -= assignment.held ? 1 : 0;
        waiting.remove(assignment.sequence);
        GroupMember member = assignment.at;
        if (member != null) {
            leave(assignment, member);
            if (!assignment.isPinned()) {
                member.drop(assignment.key());
            }
        }
        return true;
    }
}
