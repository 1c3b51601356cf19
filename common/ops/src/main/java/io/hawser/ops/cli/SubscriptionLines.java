package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.DurationText;
import io.hawser.core.model.Printable;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.ops.observe.MemberStatus;
import io.hawser.ops.observe.SubscriptionStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;

/**
 * A subscription as a line for people: its consumer, what waits for it, and what that costs.
 *
 * <pre>
 *   site-b  old  away since 2026-03-01T09:00:00Z  is owed 12 transfers, 3 GiB, the oldest 2 h old
 *       owned by CN=site-b,OU=agent-b since 2026-01-07T08:00:00Z
 *       they wait since 2026-03-01T09:12:07Z, until it has them or is removed; kept for it alone: 10 transfers, 2.5 GiB
 *       member w1  connected  has 2 transfers, 1 GiB, delivered 40 transfers, 9 GiB since the broker's start
 * </pre>
 *
 * <p>Thread: any.
 */
final class SubscriptionLines {
    private SubscriptionLines() {}

    /** The line, and below it what the subscription costs if it costs something. */
    static String text(SubscriptionStatus status, Instant now) {
        String presence = status.presence().connected()
                ? "connected"
                : "away since "
                        + now.minusMillis(status.presence().idleMillis()).truncatedTo(ChronoUnit.SECONDS);
        String oldest = status.backlog().pendingTransfers() == 0
                ? ""
                : ", the oldest " + DurationText.text(status.backlog().oldestMillis()) + " old";
        return String.join(
                        "  ",
                        Printable.text(status.topic()),
                        Printable.text(status.name()),
                        presence + terms(status.terms()),
                        "is owed " + backlog(status) + oldest)
                + owner(status.ownership())
                + cost(status.backlog())
                + status.members().stream().map(each -> member(each, now)).collect(Collectors.joining());
    }

    private static String member(MemberStatus member, Instant now) {
        String presence = member.connected()
                ? "connected"
                : "away since " + now.minusMillis(member.awayMillis()).truncatedTo(ChronoUnit.SECONDS);
        String open = member.assigned().transfers() == 0
                ? "nothing"
                : amount(member.assigned().transfers(), member.assigned().bytes());
        String pinned = member.connected() || member.assigned().pinnedTransfers() == 0
                ? ""
                : ", of which " + member.assigned().pinnedTransfers() + " can only be delivered by it";
        String subject = member.subject().isEmpty() ? "" : " (" + Printable.text(member.subject()) + ")";
        return "\n    member " + Printable.text(member.name()) + subject + "  " + presence + "  has " + open + pinned
                + ", delivered "
                + (member.delivered().deliveredTransfers() == 0
                        ? "nothing"
                        : amount(
                                member.delivered().deliveredTransfers(),
                                member.delivered().deliveredBytes()))
                + " since the broker's start";
    }

    private static String owner(SubscriptionStatus.Ownership ownership) {
        if (ownership.released()) {
            return "\n    released: the next consumer that may subscribe owns it";
        } else if (ownership.subject().isEmpty()) {
            return "";
        }
        String since = ownership.sinceEpochMillis() == 0 ? "" : " since " + second(ownership.sinceEpochMillis());
        return "\n    owned by " + Printable.text(ownership.subject()) + since;
    }

    private static String terms(SubscriptionStatus.Terms terms) {
        boolean usual = terms.priority() == 0 || terms.priority() == SubscriptionTerms.USUAL_PRIORITY;
        return (terms.maxRateBytesPerSecond() == 0
                        ? ""
                        : ", at most " + ByteSize.human(terms.maxRateBytesPerSecond()) + "/s")
                + (usual ? "" : ", priority " + terms.priority())
                + (terms.deadlineMillis() == 0
                        ? ""
                        : ", deadline " + SubscriptionTerms.text(Duration.ofMillis(terms.deadlineMillis())));
    }

    private static String cost(SubscriptionStatus.Backlog backlog) {
        if (backlog.pendingTransfers() == 0 || backlog.sinceEpochMillis() == 0) {
            return "";
        }
        String until = backlog.untilEpochMillis() == 0
                ? "until it has them or is removed"
                : "until " + second(backlog.untilEpochMillis()) + " at the latest";
        String held = backlog.heldTransfers() == 0
                ? "nothing is kept for it alone"
                : "kept for it alone: " + amount(backlog.heldTransfers(), backlog.heldBytes());
        return "\n    they wait since " + second(backlog.sinceEpochMillis()) + ", " + until + "; " + held;
    }

    private static Instant second(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS);
    }

    /** What it is owed. */
    static String backlog(SubscriptionStatus status) {
        return status.backlog().pendingTransfers() == 0
                ? "nothing"
                : amount(status.backlog().pendingTransfers(), status.backlog().pendingBytes());
    }

    private static String amount(long transfers, long bytes) {
        return transfers + (transfers == 1 ? " transfer, " : " transfers, ") + ByteSize.human(bytes);
    }
}
