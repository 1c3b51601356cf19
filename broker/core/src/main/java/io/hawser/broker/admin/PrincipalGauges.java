package io.hawser.broker.admin;

import io.hawser.broker.session.BrokerSessions;
import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.transport.AgentNet;
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

    private final AgentNet net;
    private final BrokerSessions sessions;
    private final MultiGauge used;
    private final MultiGauge limits;
    private final MultiGauge slowed;

    PrincipalGauges(AgentNet net, BrokerSessions sessions, MeterRegistry metrics) {
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
        List<PrincipalLine> all;
        try {
            all = net.onLoop(this::lines);
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("no metrics of principals while the node is stopping");
            return;
        }
        List<Row<?>> uses = new ArrayList<>();
        List<Row<?>> most = new ArrayList<>();
        List<Row<?>> slow = new ArrayList<>();
        for (PrincipalLine line : all) {
            PrincipalLine.Used use = line.used();
            PrincipalLine.Limits limit = line.limits();
            add(uses, most, line.who(), Kind.SESSIONS, use.sessions(), limit.sessions());
            add(uses, most, line.who(), Kind.SUBSCRIPTIONS, use.subscriptions(), limit.subscriptions());
            add(uses, most, line.who(), Kind.OPEN, use.openTransfers(), limit.openTransfers());
            add(uses, most, line.who(), Kind.CALLS, use.calls(), limit.calls());
            add(uses, most, line.who(), Kind.BUFFERS, use.buffers(), limit.buffers());
            add(uses, most, line.who(), Kind.MESSAGES, use.messages(), limit.messages());
            add(uses, most, line.who(), Kind.RECORDS, use.records(), limit.records());
            add(uses, most, line.who(), Kind.REFUSALS, use.refusals(), limit.refusals());
            add(uses, most, line.who(), Kind.CONNECTS, use.connects(), limit.connects());
            slow.add(Row.of(Tags.of("principal", line.who()), line.timesSlowed()));
        }
        used.register(uses, true);
        limits.register(most, true);
        slowed.register(slow, true);
    }

    private static void add(List<Row<?>> uses, List<Row<?>> most, String who, Kind kind, long used, long limit) {
        Tags tags = Tags.of("principal", who, "kind", kind.word());
        uses.add(Row.of(tags, used));
        most.add(Row.of(tags, limit));
    }
}
