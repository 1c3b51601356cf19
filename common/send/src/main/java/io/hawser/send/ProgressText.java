package io.hawser.send;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.DurationText;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.TerminalText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * How far a send is, as lines for people. ASCII and without colour, so that it reads the same on each terminal.
 *
 * <pre>
 *   broker       [##########----------]  52%    1.2 GiB of 2.3 GiB  31.2 MB/s
 *   site-b       [#######-------------]  38%  899.4 MiB of 2.3 GiB  24.0 MB/s
 *   3 of 40 files  0:42 left, limited by --rate
 * </pre>
 *
 * <p>Thread: any.
 */
final class ProgressText {
    private static final int MAX_FAR_ENDS = 4;
    private static final int LABEL = 12;
    private static final int BAR = 20;

    private ProgressText() {}

    /** @param columns the width of the terminal; no line is longer */
    static List<String> lines(SendProgress progress, int columns) {
        List<String> lines = new ArrayList<>();
        lines.add(leg("broker", progress.brokered(), progress.totalBytes(), ""));
        List<SendProgress.FarEndLeg> slowest = progress.farEnds().stream()
                .sorted(Comparator.comparingLong(each -> each.leg().bytes()))
                .limit(MAX_FAR_ENDS)
                .toList();
        for (SendProgress.FarEndLeg each : slowest) {
            lines.add(leg(each.subscription(), each.leg(), progress.totalBytes(), each.away() ? "  away" : ""));
        }
        int more = progress.farEnds().size() - slowest.size();
        if (more > 0) {
            lines.add("and " + more + (more == 1 ? " far end" : " far ends") + " with more of it");
        }
        lines.add(objects(progress) + left(progress));
        return lines.stream()
                .map(line -> TerminalText.cut(Printable.text(line), columns))
                .toList();
    }

    /** The same on one line, for logs. */
    static String line(SendProgress progress) {
        StringBuilder line = new StringBuilder()
                .append(ByteSize.human(progress.brokered().bytes()))
                .append(" of ")
                .append(ByteSize.human(progress.totalBytes()))
                .append(" durable at the broker");
        for (SendProgress.FarEndLeg each : progress.farEnds()) {
            line.append(", ")
                    .append(ByteSize.human(each.leg().bytes()))
                    .append(" at ")
                    .append(each.subscription())
                    .append(each.away() ? " (away)" : "");
        }
        return Printable.text(line.append(", ")
                .append(objects(progress))
                .append(String.format(
                        Locale.ROOT, ", %s", rate(progress.brokered().bytesPerSecond())))
                .append(left(progress))
                .toString());
    }

    private static String objects(SendProgress progress) {
        return progress.objectsDone() + " of " + progress.objects() + (progress.objects() == 1 ? " file" : " files");
    }

    private static String left(SendProgress progress) {
        Long seconds = progress.secondsLeft();
        String time = seconds == null || seconds == 0 ? "" : "  " + clock(seconds) + " left";
        if (progress.because().isEmpty()) {
            return time;
        }
        return progress.waits()
                ? "  waiting: " + progress.because()
                : time + (time.isEmpty() ? "  " : ", ") + progress.because();
    }

    /** Such as {@code 0:42}, {@code 1:02:03}; days beyond two. */
    static String clock(long seconds) {
        if (seconds >= 2 * 86_400) {
            return DurationText.text(seconds * 1000);
        }
        long hours = seconds / 3600;
        return hours == 0
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", hours, seconds / 60 % 60, seconds % 60);
    }

    private static String leg(String name, SendProgress.Leg leg, long totalBytes, String note) {
        double share = totalBytes == 0 ? 1 : Math.min(1, (double) leg.bytes() / totalBytes);
        int full = (int) (share * BAR);
        return String.format(
                Locale.ROOT,
                "%-" + LABEL + "s [%s%s] %3d%%  %10s of %s  %s%s",
                label(name),
                "#".repeat(full),
                "-".repeat(BAR - full),
                (int) (share * 100),
                ByteSize.human(leg.bytes()),
                ByteSize.human(totalBytes),
                note.isEmpty() ? rate(leg.bytesPerSecond()) : "",
                note.strip());
    }

    private static String label(String name) {
        return name.length() <= LABEL ? name : name.substring(0, LABEL - 1) + "~";
    }

    private static String rate(long bytesPerSecond) {
        return String.format(Locale.ROOT, "%.1f MB/s", bytesPerSecond / 1e6);
    }
}
