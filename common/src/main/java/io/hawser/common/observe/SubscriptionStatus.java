package io.hawser.common.observe;

/**
 * One subscription; an element of the JSON list of {@code /subscriptions}.
 *
 * @param topic what it is bound to
 * @param name its name
 * @param owner node id of the consumer that owns it
 * @param connected whether a session serves it now
 * @param pendingTransfers committed transfers that it is owed
 * @param pendingBytes their sizes
 * @param idleMillis since its consumer was last seen, or since the broker's start if that was later; 0 while it is connected
 * @param oldestMillis since the one of the pending transfers that was committed first was begun; 0 if there is none
 *
 * <p>Thread: immutable.
 */
public record SubscriptionStatus(
        String topic,
        String name,
        String owner,
        boolean connected,
        long pendingTransfers,
        long pendingBytes,
        long idleMillis,
        long oldestMillis) {}
