package io.hawser.broker.store;

import io.hawser.common.model.SubscriptionSpec;

/**
 * How far a subscription lags.
 *
 * @param spec the subscription
 * @param owedTransfers committed transfers that it has yet to get
 * @param owedBytes their bytes
 * @param oldestOwedEpochMillis when the one that was committed first of them was begun; 0 if there is none
 */
public record SubscriptionStatus(
        SubscriptionSpec spec, long owedTransfers, long owedBytes, long oldestOwedEpochMillis) {}
