package io.hawser.broker.admin;

import io.hawser.core.model.Topic;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.hawser.ops.observe.SubscriptionStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The backlog of each subscription, and what is kept for it alone, as metrics. Subscriptions to replies appear only while they are
 * owed something: each program that sends requests has one.
 *
 * @param refusedMillis the longest that a publisher was refused for want of space
 * @param owedMillis the longest that a subscription has waited for what it is owed
 *
 * <p>Thread: immutable; made on the loop.
 */
record SubscriptionMetrics(
        List<SubscriptionStatus> subscriptions, long refusedMillis, long owedMillis, long nowMillis) {
    SubscriptionMetrics {
        subscriptions = subscriptions.stream()
                .filter(each -> each.backlog().pendingTransfers() > 0 || !new Topic(each.topic()).isOfReplies())
                .toList();
    }

    static void add(NodeMetrics metrics, SubscriptionPages subscriptions) {
        metrics.of(subscriptions::survey)
                .gauges(
                        "hawser_longest_idle_seconds",
                        "The longest that something has waited here; in: what is refused, out: what subscriptions are owed.",
                        from -> List.of(idle("in", from.refusedMillis()), idle("out", from.owedMillis())))
                .gauges(
                        "hawser_subscription_pending_transfers",
                        "Transfers that the subscription has yet to get.",
                        from -> from.samples(each -> each.backlog().pendingTransfers()))
                .gauges(
                        "hawser_subscription_pending_bytes",
                        "Bytes that the subscription has yet to get.",
                        from -> from.samples(each -> each.backlog().pendingBytes()))
                .gauges(
                        "hawser_subscription_held_transfers",
                        "Transfers that are kept for this subscription alone.",
                        from -> from.samples(each -> each.backlog().heldTransfers()))
                .gauges(
                        "hawser_subscription_held_bytes",
                        "Bytes that are kept for this subscription alone.",
                        from -> from.samples(each -> each.backlog().heldBytes()))
                .gauges(
                        "hawser_subscription_waiting_seconds",
                        "Since the oldest of what the subscription has yet to get was complete here.",
                        from -> from.samples(from::waitingSeconds))
                .gauges(
                        "hawser_subscription_connected",
                        "1 while the subscription's consumer is connected, else 0.",
                        from -> from.samples(each -> each.presence().connected() ? 1 : 0));
    }

    private static Sample idle(String hop, long millis) {
        return new Sample(Map.of("hop", hop), seconds(millis));
    }

    private static double seconds(long millis) {
        return millis / (double) TimeUnit.SECONDS.toMillis(1);
    }

    private double waitingSeconds(SubscriptionStatus subscription) {
        long since = subscription.backlog().sinceEpochMillis();
        return since == 0 ? 0 : seconds(Math.max(0, nowMillis - since));
    }

    private List<Sample> samples(ToDoubleFunction<SubscriptionStatus> value) {
        return subscriptions.stream()
                .map(each -> new Sample(
                        Map.of("topic", each.topic(), "subscription", each.name()), value.applyAsDouble(each)))
                .toList();
    }
}
