package io.hawser.broker.admin;

import io.hawser.core.model.Topic;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.SubscriptionStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backlog of each subscription, and what is kept for it alone, as metrics. Subscriptions to replies appear only while they are
 * owed something: each program that sends requests has one.
 *
 * <p>Thread: the admin thread.
 */
final class SubscriptionGauges {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionGauges.class);
    private static final double MILLIS = 1000;

    private final SubscriptionPages subscriptions;
    private final MultiGauge pendingTransfers;
    private final MultiGauge pendingBytes;
    private final MultiGauge heldTransfers;
    private final MultiGauge heldBytes;
    private final MultiGauge waitingSeconds;

    SubscriptionGauges(SubscriptionPages subscriptions, MeterRegistry metrics) {
        this.subscriptions = subscriptions;
        pendingTransfers = gauge(metrics, "pending_transfers", "transfers that the subscription has yet to get");
        pendingBytes = gauge(metrics, "pending_bytes", "bytes that the subscription has yet to get");
        heldTransfers = gauge(metrics, "held_transfers", "transfers that are kept for this subscription alone");
        heldBytes = gauge(metrics, "held_bytes", "bytes that are kept for this subscription alone");
        waitingSeconds = gauge(
                metrics,
                "waiting_seconds",
                "since the oldest of what the subscription has yet to get was complete here");
    }

    private static MultiGauge gauge(MeterRegistry metrics, String name, String description) {
        return MultiGauge.builder("hawser_subscription_" + name)
                .description(description)
                .register(metrics);
    }

    /** Brings them up to date. */
    void refresh() {
        List<SubscriptionStatus> all;
        try {
            all = subscriptions.list(Map.of(), Caller.OPERATOR).stream()
                    .filter(each -> each.backlog().pendingTransfers() > 0 || !new Topic(each.topic()).isOfReplies())
                    .toList();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("no metrics of subscriptions while the node is stopping");
            return;
        }
        long now = System.currentTimeMillis();
        fill(pendingTransfers, all, 1, each -> each.backlog().pendingTransfers());
        fill(pendingBytes, all, 1, each -> each.backlog().pendingBytes());
        fill(heldTransfers, all, 1, each -> each.backlog().heldTransfers());
        fill(heldBytes, all, 1, each -> each.backlog().heldBytes());
        fill(
                waitingSeconds,
                all,
                MILLIS,
                each -> each.backlog().sinceEpochMillis() == 0
                        ? 0
                        : Math.max(0, now - each.backlog().sinceEpochMillis()));
    }

    private static void fill(
            MultiGauge gauge, List<SubscriptionStatus> all, double unit, ToLongFunction<SubscriptionStatus> value) {
        gauge.register(
                all.stream()
                        .<Row<?>>map(each -> Row.of(
                                Tags.of("topic", each.topic(), "subscription", each.name()),
                                value.applyAsLong(each) / unit))
                        .toList(),
                true);
    }
}
