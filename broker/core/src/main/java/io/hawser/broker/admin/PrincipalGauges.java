package io.hawser.broker.admin;

import io.hawser.broker.session.BrokerSessions;
import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.PrincipalLine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The usage and limits of principals, as text lines and as metrics. A rate has no gauge of its use, only a total.
 *
 * <p>Thread: the admin thread; it asks the loop. {@link #lines} is called on the loop.
 */
final class PrincipalGauges {
    private static final Logger LOG = LoggerFactory.getLogger(PrincipalGauges.class);

    private final NodeThreads net;
    private final BrokerSessions sessions;
    private final MultiGauge used;
    private final MultiGauge limits;
    private final MultiGauge slowed;

    PrincipalGauges(NodeThreads net, BrokerSessions sessions, MeterRegistry metrics) {
        this.net = net;
        this.sessions = sessions;
        used = gauge(
                metrics,
                "used",
                "what a principal has; of messages, records, refusals and connects, which are limited by the second, all since its first session");
        limits = gauge(metrics, "limit", "the most that a principal may have, or cause a second");
        slowed = gauge(metrics, "slowed", "how often a principal was too fast, so that it was not read for a moment");
    }

    private static MultiGauge gauge(MeterRegistry metrics, String name, String description) {
        return MultiGauge.builder("hawser_principal_" + name)
                .description(description)
                .register(metrics);
    }

    List<PrincipalLine> lines() {
        return sessions.principals().all().stream().map(this::line).toList();
    }

    private PrincipalLine line(PrincipalUse use) {
        return new PrincipalLine(
                use.name(),
                new PrincipalLine.Used(
                        use.used(Kind.SESSIONS),
                        sessions.subscriptionsOf(use),
                        use.used(Kind.OPEN),
                        use.used(Kind.CALLS),
                        use.used(Kind.BUFFERS),
                        use.used(Kind.MESSAGES),
                        use.used(Kind.RECORDS),
                        use.used(Kind.REFUSALS),
                        use.used(Kind.CONNECTS)),
                new PrincipalLine.Limits(
                        use.most(Kind.SESSIONS),
                        use.most(Kind.SUBSCRIPTIONS),
                        use.most(Kind.OPEN),
                        use.most(Kind.CALLS),
                        use.most(Kind.BUFFERS),
                        use.most(Kind.MESSAGES),
                        use.most(Kind.RECORDS),
                        use.most(Kind.REFUSALS),
                        use.most(Kind.CONNECTS)),
                use.timesOverRate());
    }

    /** Brings the metrics up to date. */
    void refresh() {
        List<Row<?>> uses = new ArrayList<>();
        List<Row<?>> most = new ArrayList<>();
        List<Row<?>> slow = new ArrayList<>();
        try {
            net.onLoop(() -> {
                sessions.principals().all().forEach(use -> add(use, uses, most, slow));
                return uses;
            });
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("no metrics of principals while the node is stopping");
            return;
        }
        used.register(uses, true);
        limits.register(most, true);
        slowed.register(slow, true);
    }

    private void add(PrincipalUse use, List<Row<?>> uses, List<Row<?>> most, List<Row<?>> slow) {
        for (Kind kind : Kind.values()) {
            Tags tags = Tags.of("principal", use.name(), "kind", kind.word());
            uses.add(Row.of(tags, kind == Kind.SUBSCRIPTIONS ? sessions.subscriptionsOf(use) : use.used(kind)));
            most.add(Row.of(tags, use.most(kind)));
        }
        slow.add(Row.of(Tags.of("principal", use.name()), use.timesOverRate()));
    }
}
