package io.hawser.ops.observe;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * One subscription; an element of the JSON list of {@code /subscriptions}. In the JSON its parts but {@code members} are not nested.
 *
 * @param topic its topic
 * @param name its name
 * @param ownership who owns it
 * @param presence whether its consumer is connected
 * @param backlog what it is owed
 * @param terms its deadline, rate and priority
 * @param members the consumers that share it; empty if it has one consumer
 */
public record SubscriptionStatus(
        String topic,
        String name,
        @JsonUnwrapped Ownership ownership,
        @JsonUnwrapped Presence presence,
        @JsonUnwrapped Backlog backlog,
        @JsonUnwrapped Terms terms,
        List<MemberStatus> members) {
    public SubscriptionStatus {
        members = members == null ? List.of() : List.copyOf(members); // a page of an older broker has none
    }

    /**
     * Who owns a subscription.
     *
     * @param node node id of its consumer, or of the last one
     * @param subject subject of the certificate that owns it; empty if that node id owns it, and in a group
     * @param sinceEpochMillis since when; 0 if the broker's records do not tell
     * @param released whether an operator has released it and no consumer has come since
     */
    public record Ownership(
            @JsonProperty("owner") String node,
            @JsonProperty("ownerSubject") String subject,
            @JsonProperty("ownedSinceEpochMillis") long sinceEpochMillis,
            boolean released) {
        public Ownership {
            subject = subject == null ? "" : subject; // a page of an older broker has none
        }
    }

    /**
     * Whether a subscription's consumer is connected.
     *
     * @param connected whether a session serves it now
     * @param idleMillis since its consumer was last seen, or since the broker's start if that was later; 0 while it is connected
     */
    public record Presence(boolean connected, long idleMillis) {}

    /**
     * What a subscription is owed.
     *
     * @param pendingTransfers committed transfers that it is owed
     * @param pendingBytes their sizes
     * @param oldestMillis age of the one that was committed first, since its publisher began it; 0 if there is none
     * @param heldTransfers those of them that the broker keeps for this subscription alone
     * @param heldBytes their sizes: what would be free if this subscription had them, or were removed
     * @param sinceEpochMillis when the one that was committed first was committed; 0 if there is none
     * @param untilEpochMillis when that one is given up for this subscription; 0 if it is kept until the subscription has it or is removed
     */
    public record Backlog(
            long pendingTransfers,
            long pendingBytes,
            long oldestMillis,
            long heldTransfers,
            long heldBytes,
            long sinceEpochMillis,
            long untilEpochMillis) {}

    /**
     * The terms of a subscription.
     *
     * @param deadlineMillis so long after its commit a transfer is given up for this subscription; 0: never
     * @param maxRateBytesPerSecond the most that the broker sends to it; 0: no limit
     * @param priority 1 to 9, the highest, for which the broker reads first; 0 from a broker that does not know it
     */
    public record Terms(long deadlineMillis, long maxRateBytesPerSecond, int priority) {}
}
