package io.hawser.broker.store;

import io.hawser.core.model.SubscriptionSpec;

/**
 * The backlog of a subscription, and its cost.
 *
 * @param spec the subscription
 * @param owedTransfers committed transfers that it has yet to get
 * @param owedBytes their bytes
 * @param heldTransfers of these, those that no other subscription is owed: they are kept for this one alone
 * @param heldBytes their bytes
 * @param oldestOwedEpochMillis when the one that was committed first of those that it is owed was begun; 0 if there is none
 * @param oldestCommittedEpochMillis when that one was committed; 0 if there is none
 */
public record SubscriptionStatus(
        SubscriptionSpec spec,
        long owedTransfers,
        long owedBytes,
        long heldTransfers,
        long heldBytes,
        long oldestOwedEpochMillis,
        long oldestCommittedEpochMillis) {}
