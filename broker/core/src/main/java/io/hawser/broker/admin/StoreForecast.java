package io.hawser.broker.admin;

import io.hawser.broker.relay.Relay;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.QuotaUse;
import io.hawser.broker.store.StoreUsage;
import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.core.access.Quota;
import io.hawser.ops.node.ForecastBoard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures the broker's store and its tenants' quotas for the forecasts. The reason why they fill is the subscription that is owed most.
 *
 * <p>Thread: the relay's loop.
 */
record StoreForecast(BrokerStore store, Relay relay) implements ForecastBoard.Source {
    @Override
    public void measure(Consumer<List<ForecastBoard.Space>> done) {
        store.subscriptionStatus(outcome -> {
            List<SubscriptionStatus> all = outcome.isRefused() ? List.of() : outcome.get();
            done.accept(spaces(because(all)));
        });
    }

    private String because(List<SubscriptionStatus> all) {
        return all.stream()
                .filter(status -> status.owedBytes() > 0)
                .max(Comparator.comparingLong(SubscriptionStatus::owedBytes))
                .map(status -> status.spec().name())
                .map(name ->
                        relay.subscriptions().isConnected(name) ? name + " takes less than comes" : name + " is away")
                .orElse("");
    }

    private List<ForecastBoard.Space> spaces(String because) {
        List<ForecastBoard.Space> spaces = new ArrayList<>();
        StoreUsage sizes = store.sizes();
        long onDisk = sizes.diskFreeBytes() - sizes.headRoomBytes();
        long inQuota = sizes.quotaBytes() == 0
                ? Long.MAX_VALUE
                : sizes.quotaBytes() - sizes.usedBytes() - sizes.reservedBytes();
        spaces.add(new ForecastBoard.Space("store", sizes.usedBytes(), Math.min(onDisk, inQuota), because));
        for (QuotaUse use : store.quotaUses()) {
            if (use.quota().bytes() != Quota.NO_LIMIT) {
                long used = use.usedBytes() + use.reservedBytes();
                spaces.add(new ForecastBoard.Space(
                        "quota " + use.quota().name(), used, use.quota().bytes() - used, because));
            }
        }
        return spaces;
    }
}
