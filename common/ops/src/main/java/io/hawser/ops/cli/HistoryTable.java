package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.DurationText;
import io.hawser.core.model.Printable;
import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryRow;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Finished transfers as text for people, in at most {@value #WIDTH} columns.
 *
 * <pre>
 *   ENDED           OUTCOME        SIZE      TOOK  WHAT
 *   11-28 20:08:49  delivered       256 MiB  12.3 s  site-b/photos/cat.jpg
 *   11-28 20:08:50  failed           12 KiB   1.0 s  site-b/x
 *                   7f3a91c2  the disk is full
 * </pre>
 *
 * <p>Thread: any.
 */
final class HistoryTable {
    static final int WIDTH = 80;

    private static final DateTimeFormatter ENDED = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss", Locale.ROOT);
    private static final String COLUMNS = "%-14s  %-13s %9s %8s  %s";
    private static final int NAME_WIDTH = WIDTH - 14 - 2 - 13 - 1 - 9 - 1 - 8 - 2;
    private static final int INDENT = 16;

    private HistoryTable() {}

    static void print(HistoryPage page, ZoneId zone, PrintWriter out) {
        if (page.rows().isEmpty()) {
            out.println("nothing has ended at " + Printable.text(page.node()) + " that matches");
        } else {
            out.println(String.format(Locale.ROOT, COLUMNS, "ENDED", "OUTCOME", "SIZE", "TOOK", "WHAT"));
        }
        ShortIds ids = ShortIds.of(page.rows().stream().map(HistoryRow::key).toList());
        page.rows().forEach(row -> print(row, ids, zone, out));
        if (page.next() != null) {
            out.println("… there are more; see --limit");
        }
        if (page.notIndexed() > 0) {
            out.println("… " + page.notIndexed() + " later events are not in the list yet");
        }
    }

    private static void print(HistoryRow row, ShortIds ids, ZoneId zone, PrintWriter out) {
        out.println(String.format(
                Locale.ROOT,
                COLUMNS,
                ENDED.format(Instant.parse(row.endedAt()).atZone(zone)),
                row.outcome(),
                row.sizeBytes() < 0 ? "-" : ByteSize.human(row.sizeBytes()),
                DurationText.text(row.durationMillis()),
                fitting(what(row), NAME_WIDTH)));
        if (!row.reason().isEmpty()) {
            String id = row.key().isEmpty() ? "" : ids.of(row.key()) + "  ";
            int width = WIDTH - INDENT - id.length();
            out.println(" ".repeat(INDENT) + id + fitting(Printable.text(row.reason()), width));
        }
    }

    private static String what(HistoryRow row) {
        String name = row.name().isEmpty() ? "(no name)" : row.name();
        String kind = row.kind().equals("file") || row.kind().isEmpty() ? "" : row.kind() + " ";
        return kind + Printable.text(row.topic() + "/" + name);
    }

    /** The end of a name says more than its beginning. */
    private static String fitting(String text, int width) {
        return text.length() <= width ? text : "…" + text.substring(text.length() - width + 1);
    }
}
