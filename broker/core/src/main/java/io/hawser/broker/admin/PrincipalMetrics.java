package io.hawser.broker.admin;

import io.hawser.broker.session.BrokerSessions;
import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodeMetrics.Sample;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The use and the limits of principals as metrics.
 *
 * @param used what principals have now, by kind
 * @param limits the most that they may have, or cause a second
 * @param events what they caused since their first session, of the kinds that are limited by the second
 * @param slowed how often they were too fast
 *
 * <p>Thread: immutable; made on the loop.
 */
record PrincipalMetrics(List<Sample> used, List<Sample> limits, List<Sample> events, List<Sample> slowed) {
    private static final Set<Kind> BY_SECOND = EnumSet.of(Kind.MESSAGES, Kind.RECORDS, Kind.REFUSALS, Kind.CONNECTS);
    private static final String PRINCIPAL = "principal";

    static void add(NodeMetrics metrics, NodeThreads net, BrokerSessions sessions) {
        metrics.of(() -> net.onLoop(() -> PrincipalMetrics.of(sessions)))
                .gauges("hawser_principal_used", "What a principal has now.", PrincipalMetrics::used)
                .gauges(
                        "hawser_principal_limit",
                        "The most that a principal may have, or cause a second.",
                        PrincipalMetrics::limits)
                .counters(
                        "hawser_principal_events_total",
                        "What a principal has caused of what is limited by the second, since its first session.",
                        PrincipalMetrics::events)
                .counters(
                        "hawser_principal_slowed_total",
                        "How often a principal was too fast, so that the broker did not read it for a moment.",
                        PrincipalMetrics::slowed);
    }

    private static PrincipalMetrics of(BrokerSessions sessions) {
        PrincipalMetrics all =
                new PrincipalMetrics(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        sessions.principals().all().forEach(use -> all.add(use, sessions));
        return all;
    }

    private void add(PrincipalUse use, BrokerSessions sessions) {
        for (Kind kind : Kind.values()) {
            Map<String, String> labels = Map.of(PRINCIPAL, use.name(), "kind", kind.word());
            limits.add(new Sample(labels, use.most(kind)));
            if (BY_SECOND.contains(kind)) {
                events.add(new Sample(labels, use.used(kind)));
            } else {
                used.add(new Sample(
                        labels, kind == Kind.SUBSCRIPTIONS ? sessions.subscriptionsOf(use) : use.used(kind)));
            }
        }
        slowed.add(new Sample(Map.of(PRINCIPAL, use.name()), use.timesOverRate()));
    }
}
