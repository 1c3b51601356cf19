package io.hawser.broker.store.local;

import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.common.model.SubscriptionSpec;

/**
 * What the fold of the log says of one subscription. All of them are in memory.
 *
 * <p>Thread: index only.
 */
final class SubscriptionState {
    SubscriptionSpec spec;
    /** The segment whose record is needed to know it. */
    long segment;

    long owedTransfers;
    long owedBytes;
    /** The highest commit sequence that it was ever owed. */
    long lastOwedSequence;

    SubscriptionState(SubscriptionSpec spec, long segment) {
        this.spec = spec;
        this.segment = segment;
    }

    SubscriptionStatus toStatus(long oldestOwedEpochMillis) {
        return new SubscriptionStatus(spec, owedTransfers, owedBytes, oldestOwedEpochMillis);
    }
}
