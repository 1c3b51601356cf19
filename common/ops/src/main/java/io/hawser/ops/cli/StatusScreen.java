package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.model.Printable;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One picture of {@code hawser status --watch}: what moves and how fast, what is held back and why. No line is longer than the screen is wide,
 * and there are no more lines than it is high.
 *
 * <pre>
 *   broker 127.0.0.1:7480   3 open of 12   in 31.2 MB/s   out 24.0 MB/s
 *   ID        STATE           SIZE    IN   OUT        RATE  TOPIC:NAME
 *   7f3a91c2  receiving    256 MiB   38%   12%   31.2 MB/s  site-b:photos/cat.jpg
 *             NO_SPACE: the disk is full
 *   q: quit
 * </pre>
 *
 * <p>Thread: main only.
 */
record StatusScreen(String node, TransferFilter filter, TransferRates rates) {
    private static final String HELP = "q: quit";

    /** @param problem why the page is an old one; empty if it is not */
    List<String> lines(TransferPage page, String problem, TerminalDevice.Size size) {
        List<TransferStatus> shown = page.transfers().stream()
                .filter(filter::lets)
                .sorted(Comparator.comparing(TransferFilter::isAtItsEnd)) // stable: the newest first in each half
                .toList();
        ShortIds ids = ShortIds.of(shown.stream().map(TransferStatus::key).toList());
        int width = ids.of("0".repeat(65)).length();
        List<String> lines = new ArrayList<>();
        lines.add(head(page, shown));
        lines.add(problem.isEmpty() ? "" : "! " + problem);
        lines.add(String.format(
                Locale.ROOT,
                "%-" + width + "s  %-9s  %9s  %4s  %4s  %10s  %s",
                "ID",
                "STATE",
                "SIZE",
                "IN",
                "OUT",
                "RATE",
                "TOPIC:NAME"));
        int room = Math.max(0, size.rows() - lines.size() - 1);
        List<String> rows = new ArrayList<>();
        for (TransferStatus transfer : shown) {
            rows.add(row(transfer, ids.of(transfer.key()), width));
            String reason = reason(transfer);
            if (!reason.isEmpty()) {
                rows.add(" ".repeat(width + 2) + reason);
            }
        }
        if (rows.isEmpty()) {
            rows.add(filter.isEmpty() ? "no transfers" : "no transfers that fit" + filter);
        }
        lines.addAll(rows.subList(0, Math.min(room, rows.size())));
        while (lines.size() < size.rows() - 1) {
            lines.add("");
        }
        lines.add(HELP
                + (rows.size() > room ? "   " + (rows.size() - room) + " more lines do not fit" : "")
                + (page.truncated() ? "   only the newest " + page.transfers().size() + " are looked at" : ""));
        return lines.stream()
                .limit(size.rows())
                .map(line -> TerminalText.cut(Printable.text(line), size.columns()))
                .toList();
    }

    private String head(TransferPage page, List<TransferStatus> shown) {
        long in = 0;
        long out = 0;
        long open = 0;
        for (TransferStatus transfer : shown) {
            open += TransferFilter.isAtItsEnd(transfer) ? 0 : 1;
            for (int i = 0; i < transfer.hops().size(); i++) {
                long rate = rates.bytesPerSecond(transfer, transfer.hops().get(i));
                in += i == 0 ? rate : 0;
                out += i == 0 ? 0 : rate;
            }
        }
        return page.node() + " " + node + "   " + open + " open of " + shown.size() + "   in " + rate(in) + "   out "
                + rate(out) + (filter.isEmpty() ? "" : "  " + filter);
    }

    private String row(TransferStatus transfer, String id, int width) {
        long sizeBytes = transfer.object().sizeBytes();
        long fastest = transfer.hops().stream()
                .mapToLong(hop -> rates.bytesPerSecond(transfer, hop))
                .max()
                .orElse(0);
        return String.format(
                Locale.ROOT,
                "%-" + width + "s  %-9s  %9s  %4s  %4s  %10s  %s:%s",
                id,
                transfer.state(),
                sizeBytes < 0 ? "?" : ByteSize.human(sizeBytes),
                share(transfer.hops().stream().limit(1).toList(), sizeBytes),
                share(transfer.hops().stream().skip(1).toList(), sizeBytes),
                fastest == 0 ? "" : rate(fastest),
                transfer.object().topic(),
                transfer.object().name().isEmpty()
                        ? "(no name)"
                        : transfer.object().name());
    }

    /** Of the hop that is least far. */
    private static String share(List<HopStatus> hops, long sizeBytes) {
        if (hops.isEmpty() || sizeBytes < 0) {
            return "";
        }
        long least =
                hops.stream().mapToLong(hop -> hop.bytes().durableBytes()).min().orElse(0);
        return sizeBytes == 0 ? "100%" : Math.min(100, 100 * least / sizeBytes) + "%";
    }

    private static String reason(TransferStatus transfer) {
        return TransferFilter.isAtItsEnd(transfer)
                ? ""
                : transfer.hops().stream()
                        .filter(hop -> !hop.reason().isEmpty())
                        .map(hop -> hop.hop() + ": " + hop.reason())
                        .findFirst()
                        .orElse("");
    }

    private static String rate(long bytesPerSecond) {
        return String.format(Locale.ROOT, "%.1f MB/s", bytesPerSecond / 1e6);
    }
}
