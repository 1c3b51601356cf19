package io.hawser.broker.admin;

import io.hawser.broker.session.BrokerSessions;
import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.access.PrincipalUse;
import io.hawser.ops.observe.PrincipalLine;
import java.util.List;

/**
 * The usage and limits of principals for {@code /quotas}.
 *
 * <p>Thread: the loop.
 */
record PrincipalLines(BrokerSessions sessions) {
    List<PrincipalLine> all() {
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
}
