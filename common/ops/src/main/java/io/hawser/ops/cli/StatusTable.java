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
 * A page of transfers as text for people: a line for each transfer, and below it one for each hop and receipt. On a terminal of 80 columns no
 * line is broken by the terminal itself.
 *
 * <pre>
 *   7f3a91c2  committed    256 MiB  12.3 s  site-b:photos/cat.jpg
 *     publisher->broker      committed   256 MiB 100.0%  0 B re-sent  credit 16 MiB
 *     broker->b              refused      96 MiB  37.5%  4 MiB re-sent  credit 16 MiB
 *         held back: NO_SPACE: the disk is full (no progress for 12.3 s)
 *     receipt b              landed     0.2 s ago
 * </pre>
 *
 * <p>Thread: main only.
 */
final class StatusTable {
    private final PrintWriter out;
    private final int columns;

    /** @param columns the width of the terminal; {@link Integer#MAX_VALUE} if it goes elsewhere */
    StatusTable(PrintWriter out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    void print(TransferPage page) {
        if (page.transfers().isEmpty()) {
            out.println("no transfers");
        }
        ShortIds ids =
                ShortIds.of(page.transfers().stream().map(TransferStatus::key).toList());
        page.transfers().forEach(transfer -> print(transfer, ids.of(transfer.key())));
        if (page.transfers().size() == 1) {
            out.println("  key " + page.transfers().get(0).key());
        }
        if (page.searched() > 0) {
            out.println("… only the newest " + page.searched() + " transfers were searched");
        } else if (page.truncated()) {
            out.println("… there are more; see --limit");
        }
    }

    /** What holds a transfer back on each hop over the shortest window. */
    void print(WhyPage why) {
        for (WhyPage.HopWhy hop : why.hops()) {
            hop.windows().stream()
                    .limit(1)
                    .filter(window -> !window.bottleneck().equals(WaitStage.NONE.code()))
                    .forEach(window -> sentence(
                            Printable.text(
                                    "  why " + hop.hop() + ": " + window.bottleneck() + ". " + window.sentence()),
                            6));
        }
    }

    /** Who is owed something, and what that costs. */
    void print(List<SubscriptionStatus> waiting, Instant now) {
        if (!waiting.isEmpty()) {
            out.println("subscriptions that are owed something:");
            waiting.forEach(
                    each -> sentence(SubscriptionLines.text(each, now).indent(2).stripTrailing(), 6));
        }
    }

    /** What an operator should do something about, if there is something. */
    void print(Health health) {
        if (!health.ok()) {
            sentence(
                    Printable.text("warning: " + health.node() + " is not well: "
                            + health.detail().entrySet().stream()
                                    .map(each -> each.getKey() + "=" + each.getValue())
                                    .sorted()
                                    .collect(Collectors.joining(", "))),
                    4);
        }
        health.warnings().forEach(warning -> sentence(Printable.text("warning: " + warning.text()), 4));
    }

    /** What is full soon, unless it is among the warnings. */
    void print(ForecastPage page, Health health) {
        page.forecasts().stream()
                .map(ForecastPage.ForecastLine::sentence)
                .filter(sentence -> health.warnings().stream()
                        .noneMatch(warning -> warning.sentence().equals(sentence)))
                .forEach(sentence -> sentence(Printable.text("forecast: " + sentence), 4));
    }

    /** Lines that lose nothing: what does not fit goes on below, indented. */
    private void sentence(String lines, int indent) {
        lines.lines().forEach(line -> TerminalText.wrap(line, columns, indent).forEach(out::println));
    }

    private void row(String line) {
        out.println(TerminalText.cut(line, columns));
    }

    private void print(TransferStatus transfer, String id) {
        String size = transfer.object().sizeBytes() < 0
                ? "size not known"
                : ByteSize.human(transfer.object().sizeBytes());
        String name = transfer.object().name().isEmpty()
                ? "(no name)"
                : Printable.text(transfer.object().name());
        String kind = transfer.object().kind().equals("file")
                ? ""
                : "  " + transfer.object().kind();
        row(String.format(
                Locale.ROOT,
                "%s  %-9s %10s  %s%s  %s:%s",
                id,
                transfer.state(),
                size,
                DurationText.text(transfer.ageMillis()),
                kind,
                Printable.text(transfer.object().topic()),
                name));
        for (HopStatus hop : transfer.hops()) {
            String share = transfer.object().sizeBytes() <= 0
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            " %5.1f%%",
                            100.0
                                    * hop.bytes().durableBytes()
                                    / transfer.object().sizeBytes());
            row(String.format(
                    Locale.ROOT,
                    "  %-22s %-9s %9s%s  %s re-sent  credit %s",
                    Printable.text(hop.hop()),
                    hop.state(),
                    ByteSize.human(hop.bytes().durableBytes()),
                    share,
                    ByteSize.human(hop.bytes().resentBytes()),
                    ByteSize.human(hop.bytes().creditBytes())));
            if (!hop.reason().isEmpty()) {
                sentence("      held back: " + Printable.text(hop.reason()) + clock(hop), 8);
            }
        }
        for (ReceiptLine receipt : transfer.receipts()) {
            sentence(
                    String.format(
                            Locale.ROOT,
                            "  receipt %-14s %-9s %s ago%s",
                            Printable.text(receipt.subscription()),
                            receipt.status(),
                            DurationText.text(receipt.ageMillis()),
                            receipt.reason().isEmpty() ? "" : "  " + Printable.text(receipt.reason())),
                    8);
        }
    }

    private static String clock(HopStatus hop) {
        return hop.idleMillis() < HopStatus.SHOWN_MILLIS
                ? ""
                : " (no progress for " + DurationText.text(hop.idleMillis()) + ")";
    }
}
