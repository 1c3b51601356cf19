package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.DurationText;
import io.hawser.core.model.Printable;
import io.hawser.core.why.WaitStage;
import io.hawser.ops.observe.ForecastPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WhyPage;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A page of transfers as text for people: a line for each transfer, and below it one for each hop and receipt.
 *
 * <pre>
 *   site-b  photos/cat.jpg  file  256 MiB  committed  age 12.3 s  6f0c…:018f…
 *     publisher->broker     committed   256 MiB durable  100.0%  0 B re-sent  credit 16 MiB
 *     broker->b             refused      96 MiB durable   37.5%  4 MiB re-sent  credit 16 MiB
 *         held back: NO_SPACE: the disk is full (no progress for 12.3 s)
 *     receipt b             landed       0.2 s ago
 * </pre>
 *
 * <p>Thread: any.
 */
final class StatusTable {
    private StatusTable() {}

    static void print(TransferPage page, PrintWriter out) {
        if (page.transfers().isEmpty()) {
            out.println("no transfers");
        }
        page.transfers().forEach(transfer -> print(transfer, out));
        if (page.searched() > 0) {
            out.println("… only the newest " + page.searched() + " transfers were searched");
        } else if (page.truncated()) {
            out.println("… there are more; see --limit");
        }
    }

    /** What holds a transfer back on each hop over the shortest window. */
    static void print(WhyPage why, PrintWriter out) {
        for (WhyPage.HopWhy hop : why.hops()) {
            hop.windows().stream()
                    .limit(1)
                    .filter(window -> !window.bottleneck().equals(WaitStage.NONE.code()))
                    .forEach(window -> out.println(Printable.text(
                            "  why " + hop.hop() + ": " + window.bottleneck() + ". " + window.sentence())));
        }
    }

    /** Who is owed something, and what that costs. */
    static void print(List<SubscriptionStatus> waiting, Instant now, PrintWriter out) {
        if (!waiting.isEmpty()) {
            out.println("subscriptions that are owed something:");
            waiting.forEach(each ->
                    out.println(SubscriptionLines.text(each, now).indent(2).stripTrailing()));
        }
    }

    /** What an operator should do something about, if there is something. */
    static void print(Health health, PrintWriter out) {
        if (!health.ok()) {
            out.println(Printable.text("warning: " + health.node() + " is not well: "
                    + health.detail().entrySet().stream()
                            .map(each -> each.getKey() + "=" + each.getValue())
                            .sorted()
                            .collect(Collectors.joining(", "))));
        }
        health.warnings().forEach(warning -> out.println(Printable.text("warning: " + warning.text())));
    }

    /** What is full soon, unless it is among the warnings. */
    static void print(ForecastPage page, Health health, PrintWriter out) {
        page.forecasts().stream()
                .map(ForecastPage.ForecastLine::sentence)
                .filter(sentence -> health.warnings().stream()
                        .noneMatch(warning -> warning.sentence().equals(sentence)))
                .forEach(sentence -> out.println(Printable.text("forecast: " + sentence)));
    }

    private static void print(TransferStatus transfer, PrintWriter out) {
        String size = transfer.object().sizeBytes() < 0
                ? "size not known yet"
                : ByteSize.human(transfer.object().sizeBytes());
        String name = transfer.object().name().isEmpty()
                ? "(no name)"
                : Printable.text(transfer.object().name());
        out.println(String.join(
                "  ",
                Printable.text(transfer.object().topic()),
                name,
                transfer.object().kind(),
                size,
                transfer.state(),
                "age " + DurationText.text(transfer.ageMillis()),
                transfer.key()));
        for (HopStatus hop : transfer.hops()) {
            String share = transfer.object().sizeBytes() <= 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            " %5.1f%%",
                            100.0
                                    * hop.bytes().durableBytes()
                                    / transfer.object().sizeBytes());
            out.println(String.format(
                    Locale.ROOT,
                    "  %-24s %-10s %10s durable%s  %s re-sent  credit %s",
                    Printable.text(hop.hop()),
                    hop.state(),
                    ByteSize.human(hop.bytes().durableBytes()),
                    share,
                    ByteSize.human(hop.bytes().resentBytes()),
                    ByteSize.human(hop.bytes().creditBytes())));
            if (!hop.reason().isEmpty()) {
                out.println("      held back: " + Printable.text(hop.reason()) + clock(hop));
            }
        }
        for (ReceiptLine receipt : transfer.receipts()) {
            out.println(String.format(
                    Locale.ROOT,
                    "  receipt %-16s %-10s %s ago%s",
                    Printable.text(receipt.subscription()),
                    receipt.status(),
                    DurationText.text(receipt.ageMillis()),
                    receipt.reason().isEmpty() ? "" : "  " + Printable.text(receipt.reason())));
        }
    }

    private static String clock(HopStatus hop) {
        return hop.idleMillis() < HopStatus.SHOWN_MILLIS
                ? ""
                : " (no progress for " + DurationText.text(hop.idleMillis()) + ")";
    }
}
