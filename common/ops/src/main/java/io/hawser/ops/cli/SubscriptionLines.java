package io.hawser.ops.cli;

import io.hawser.core.config.Ages;
import io.hawser.core.config.ByteSize;
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
        String presence = status.connected()
                ? "connected"
                : "away since " + now.minusMillis(status.idleMillis()).truncatedTo(ChronoUnit.SECONDS);
        String oldest =
                status.pendingTransfers() == 0 ? "" : ", the oldest " + Ages.text(status.oldestMillis()) + " old";
        return String.join(
                        "  ",
                        Printable.text(status.topic()),
                        Printable.text(status.name()),
                        presence + terms(status),
                        "is owed " + backlog(status) + oldest)
                + owner(status)
                + cost(status)
                + status.members().stream().map(each -> member(each, now)).collect(Collectors.joining());
    }

    private static String member(MemberStatus member, Instant now) {
        String presence = member.connected()
                ? "connected"
                : "away since " + now.minusMillis(member.awayMillis()).truncatedTo(ChronoUnit.SECONDS);
        String open = member.transfers() == 0 ? "nothing" : amount(member.transfers(), member.bytes());
        String pinned = member.connected() || member.pinnedTransfers() == 0
                ? ""
                : ", of which " + member.pinnedTransfers() + " can only be delivered by it";
        String subject = member.subject().isEmpty() ? "" : " (" + Printable.text(member.subject()) + ")";
        return "\n    member " + Printable.text(member.name()) + subject + "  " + presence + "  has " + open + pinned
                + ", delivered "
                + (member.deliveredTransfers() == 0
                        ? "nothing"
                        : amount(member.deliveredTransfers(), member.deliveredBytes()))
                + " since the broker's start";
    }

    private static String owner(SubscriptionStatus status) {
        if (status.released()) {
            return "\n    released: the next consumer that may subscribe owns it";
        } else if (status.ownerSubject().isEmpty()) {
            return "";
        }
        String since = status.ownedSinceEpochMillis() == 0 ? "" : " since " + second(status.ownedSinceEpochMillis());
        return "\n    owned by " + Printable.text(status.ownerSubject()) + since;
    }

    private static String terms(SubscriptionStatus status) {
        return (status.maxRateBytesPerSecond() == 0
                        ? ""
                        : ", at most " + ByteSize.human(status.maxRateBytesPerSecond()) + "/s")
                + (status.priority() == 0 || status.priority() == SubscriptionTerms.USUAL_PRIORITY
                        ? ""
                        : ", priority " + status.priority())
                + (status.deadlineMillis() == 0
                        ? ""
                        : ", deadline " + SubscriptionTerms.text(Duration.ofMillis(status.deadlineMillis())));
    }

    private static String cost(SubscriptionStatus status) {
        if (status.pendingTransfers() == 0 || status.sinceEpochMillis() == 0) {
            return "";
        }
        String until = status.untilEpochMillis() == 0
                ? "until it has them or is removed"
                : "until " + second(status.untilEpochMillis()) + " at the latest";
        String held = status.heldTransfers() == 0
                ? "nothing is kept for it alone"
                : "kept for it alone: " + amount(status.heldTransfers(), status.heldBytes());
        return "\n    they wait since " + second(status.sinceEpochMillis()) + ", " + until + "; " + held;
    }

    private static Instant second(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).truncatedTo(ChronoUnit.SECONDS);
    }

    /** What it is owed. */
    static String backlog(SubscriptionStatus status) {
        return status.pendingTransfers() == 0 ? "nothing" : amount(status.pendingTransfers(), status.pendingBytes());
    }

    private static String amount(long transfers, long bytes) {
        return transfers + (transfers == 1 ? " transfer, " : " transfers, ") + ByteSize.human(bytes);
    }
}
