package io.hawser.release.drill;

import io.hawser.core.config.ByteSize;
import io.hawser.release.process.ProcessChain.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A drill as text of 80 columns.
 *
 * <p>Thread: any.
 */
final class DrillText {
    private static final int WIDTH = 79;
    private static final String INDENT = "             ";

    private DrillText() {}

    static List<String> head(String deployment, DrillSettings settings, String prefix) {
        List<String> lines = new ArrayList<>();
        lines.add("drill of " + deployment);
        if (settings.isCheck()) {
            lines.add(item("faults", "none"));
        } else {
            String times =
                    settings.faults().times() == 0 ? "" : settings.faults().times() + " in turn";
            String length = settings.length()
                    .map(time -> "for " + time.toSeconds() + " s")
                    .orElse("");
            lines.add(item(
                    "faults",
                    Stream.of(
                                    nodes("kill -9 of ", settings.faults().kills()),
                                    nodes(
                                            "stop and go on of ",
                                            settings.faults().pauses()),
                                    times,
                                    length)
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining("; "))));
        }
        lines.add(item(
                "canaries",
                prefix + "*, 0 B to " + ByteSize.human(settings.canaries().largestBytes()) + ", seed "
                        + settings.seed()));
        return lines;
    }

    private static String nodes(String what, Collection<Part> nodes) {
        return nodes.isEmpty() ? "" : what + nodes.stream().map(Part::command).collect(Collectors.joining(", "));
    }

    /** Above the lines of the faults. */
    static String faultHead() {
        return String.format(
                Locale.ROOT,
                "%3s %8s  %-16s %8s %12s  %s",
                "",
                "at",
                "fault",
                "ready",
                "next canary",
                "sent again (bound)");
    }

    static String fault(DrillReport.FaultLine fault) {
        String resent = fault.resentBytes() == null || fault.boundBytes() == null
                ? "-"
                : ByteSize.human(fault.resentBytes()) + " (" + ByteSize.human(fault.boundBytes()) + ")";
        return String.format(
                Locale.ROOT,
                "%3d %8s  %-16s %8s %12s  %s",
                fault.number(),
                seconds(fault.atMillis()),
                fault.kind() + " " + fault.node(),
                fault.readyMillis() == null ? "-" : seconds(fault.readyMillis()),
                fault.nextMillis() == null ? "-" : seconds(fault.nextMillis()),
                resent);
    }

    static List<String> summary(DrillReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(wrapped("by", report.version()));
        lines.addAll(wrapped("level", report.custody()));
        lines.addAll(canaries(report.canaries()));
        if (!report.faults().isEmpty()) {
            recovery(report.faults(), lines);
        }
        report.resent()
                .forEach((hop, figures) -> lines.add(item(
                        "sent again",
                        hop + ": " + ByteSize.human(figures.resentBytes()) + " after "
                                + count(figures.faults(), "fault") + "; bound "
                                + ByteSize.human(figures.boundBytes()))));
        lines.add(item(
                "stall",
                "at most " + seconds(report.stall().millis()) + " without an arrival, from "
                        + seconds(report.stall().atMillis()) + " on"));
        if (report.lostBound95() != null) {
            lines.add(item(
                    "confidence",
                    String.format(
                            Locale.ROOT,
                            "less than %.2g %% of canaries are lost, at 95 %% confidence (3/n)",
                            100 * report.lostBound95())));
        }
        lines.addAll(complaints(report));
        lines.add("");
        lines.add(
                switch (report.verdict()) {
                    case HELD -> "All held.";
                    case FAILED -> "NOT ALL HELD.";
                    case INTERRUPTED -> "Interrupted; this is what was seen until then.";
                });
        return lines;
    }

    private static List<String> canaries(DrillReport.Canaries all) {
        List<String> lines = new ArrayList<>();
        lines.add(item(
                "canaries",
                all.sent() + " sent (" + ByteSize.human(all.bytes()) + "), " + all.delivered() + " delivered"));
        String duplicated = all.duplicated() == null ? "" : all.duplicated() + " duplicated, ";
        lines.add(item("", all.lost() + " lost, " + duplicated + all.corrupt() + " corrupt"));
        if (all.duplicated() == null) {
            lines.add(item("", "duplicates were not looked for"));
        }
        if (all.open() > 0) {
            lines.add(item("", all.open() + " on their way when it ended"));
        }
        if (all.refused() > 0) {
            lines.add(item("", all.refused() + " refused"));
        }
        if (all.unanswered() > 0) {
            lines.add(item(
                    "",
                    all.unanswered() + " cut off before a reply, of which " + all.unansweredArrived()
                            + " arrived all the same, whole"));
        }
        lines.add(item(
                "delivery",
                "after " + seconds(all.medianMillis()) + " (median), " + seconds(all.fastestMillis()) + " to "
                        + seconds(all.slowestMillis())));
        return lines;
    }

    private static void recovery(List<DrillReport.FaultLine> faults, List<String> lines) {
        String counts = faults.stream()
                .collect(Collectors.groupingBy(
                        fault -> fault.kind() + " " + fault.node(), java.util.TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
        lines.addAll(wrapped("faults", counts));
        times(lines, "ready", faults.stream().map(DrillReport.FaultLine::readyMillis));
        times(lines, "next canary", faults.stream().map(DrillReport.FaultLine::nextMillis));
    }

    private static void times(List<String> lines, String label, Stream<@Nullable Long> all) {
        List<Long> sorted = all.filter(Objects::nonNull).sorted().toList();
        if (!sorted.isEmpty()) {
            lines.add(item(
                    label,
                    "after " + seconds(sorted.get(sorted.size() / 2)) + " (median), at most "
                            + seconds(sorted.get(sorted.size() - 1)) + ", of " + sorted.size()));
        }
    }

    private static List<String> complaints(DrillReport report) {
        List<String> lines = new ArrayList<>();
        report.complaints().forEach(text -> {
            lines.add("");
            lines.addAll(wrapped("DID NOT HOLD", text));
        });
        return lines;
    }

    /** A check in one line. */
    static String oneLine(DrillReport report) {
        DrillReport.Canaries all = report.canaries();
        String what =
                count(all.sent(), "canary") + ", " + ByteSize.human(all.bytes()) + ", through " + report.deployment();
        return switch (report.verdict()) {
            case HELD ->
                "hawser drill: ok: " + what + ": delivered after " + seconds(all.fastestMillis()) + " to "
                        + seconds(all.slowestMillis()) + ", each once and whole";
            case FAILED -> "hawser drill: FAILED: " + what + ": " + String.join("; ", report.complaints());
            case INTERRUPTED -> "hawser drill: interrupted: " + what + ": " + all.delivered() + " delivered so far";
        };
    }

    static String progress(long millis, CanaryLedger ledger, FaultLog faults) {
        return String.format(
                Locale.ROOT,
                "    %8s  %s, %d sent, %d delivered, %d on their way",
                seconds(millis),
                count(faults.count(), "fault"),
                ledger.sent(),
                ledger.delivered(),
                ledger.awaited());
    }

    private static String item(String label, String text) {
        return String.format(Locale.ROOT, "%-12s ", label) + text;
    }

    private static List<String> wrapped(String label, String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(item(label, ""));
        int empty = line.length();
        for (String word : text.split("\\s+")) {
            if (line.length() > empty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(INDENT);
                empty = line.length();
            }
            line.append(line.length() > empty ? " " : "").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String count(long count, String what) {
        String many = what.equals("canary") ? "canaries" : what + "s";
        return count + " " + (count == 1 ? what : many);
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, millis < 10_000 ? "%.2f s" : "%.1f s", millis / 1000.0);
    }
}
