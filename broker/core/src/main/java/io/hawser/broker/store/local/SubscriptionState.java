package io.hawser.broker.store.local;

import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.core.model.SubscriptionSpec;
import org.jspecify.annotations.Nullable;

/**
 * The state of one subscription. All subscriptions are in memory.
 *
 * <p>Thread: index only.
 */
final class SubscriptionState {
    SubscriptionSpec spec;
    /** The segment with the record that is needed for it. */
    long segment;

    long owedTransfers;
    long owedBytes;
    /** Of these, what no other subscription is owed: kept for this one alone. */
    long heldTransfers;

    long heldBytes;
    /** The highest commit sequence that it was ever owed. */
    long lastOwedSequence;

    SubscriptionState(SubscriptionSpec spec, long segment) {
        this.spec = spec;
        this.segment = segment;
    }

    /**
     * For people.
     *
     * @param oldest the one that it is owed and that was committed first; null if there is none
     */
    SubscriptionStatus toStatus(@Nullable IndexedTransfer oldest) {
        return new SubscriptionStatus(
                spec,
                owedTransfers,
                owedBytes,
                heldTransfers,
                heldBytes,
                oldest == null ? 0 : oldest.key().id().epochMillis(),
                oldest == null ? 0 : oldest.committedMillis);
    }
}
