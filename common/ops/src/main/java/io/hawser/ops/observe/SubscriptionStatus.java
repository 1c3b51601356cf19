package io.hawser.ops.observe;

import java.util.List;

/**
 * One subscription; an element of the JSON list of {@code /subscriptions}.
 *
 * @param topic what it is bound to
 * @param name its name
 * @param owner node id of its consumer, or of the last one
 * @param ownerSubject subject of the certificate that owns it; empty if it is owned by that node id, and in a group
 * @param ownedSinceEpochMillis since when; 0 if the broker's records do not say it
 * @param released whether an operator has taken it from its owner, and nobody has come since
 * @param connected whether a session serves it now
 * @param pendingTransfers committed transfers that it is owed
 * @param pendingBytes their sizes
 * @param idleMillis since its consumer was last seen, or since the broker's start if that was later; 0 while it is connected
 * @param oldestMillis since the one of the pending transfers that was committed first was begun; 0 if there is none
 * @param heldTransfers of the pending transfers, those that the broker keeps for this subscription alone
 * @param heldBytes their sizes: what would be free if this subscription had them, or were removed
 * @param sinceEpochMillis when the one of the pending transfers that was committed first was committed; 0 if there is none
 * @param untilEpochMillis when that one is given up for this subscription; 0 if it is kept until it comes for it or is removed
 * @param deadlineMillis so long after its commit a transfer is given up for this subscription; 0: never
 * @param maxRateBytesPerSecond the most that it is sent; 0: no limit
 * @param priority for whom the broker reads first: 1 to 9, the highest; 0 from a broker that does not know it
 * @param members who shares it; empty if it has one consumer
 *
 * <p>Thread: immutable.
 */
public record SubscriptionStatus(
        String topic,
        String name,
        String owner,
        String ownerSubject,
        long ownedSinceEpochMillis,
        boolean released,
        boolean connected,
        long pendingTransfers,
        long pendingBytes,
        long idleMillis,
        long oldestMillis,
        long heldTransfers,
        long heldBytes,
        long sinceEpochMillis,
        long untilEpochMillis,
        long deadlineMillis,
        long maxRateBytesPerSecond,
        int priority,
        List<MemberStatus> members) {
    public SubscriptionStatus {
        ownerSubject = ownerSubject == null ? "" : ownerSubject; // a page of an older broker has none
        members = members == null ? List.of() : List.copyOf(members);
    }
}
