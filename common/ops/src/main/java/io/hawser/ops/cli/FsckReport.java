package io.hawser.ops.cli;

import io.hawser.core.config.ByteSize;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code hawser fsck} prints: a line for each finding as it is made, and one for each directory; or all of it as JSON at
 * the end.
 *
 * <p>Thread: main only.
 */
final class FsckReport {
    private static final int MAX_JSON_FINDINGS = 10_000;

    private final boolean json;
    private final PrintWriter out;
    private final ProgressLine progress;
    private final List<Finding> kept = new ArrayList<>();
    private final List<Checked> directories = new ArrayList<>();
    private long readBefore;

    FsckReport(boolean json, PrintWriter out, ProgressLine progress) {
        this.json = json;
        this.out = out;
        this.progress = progress;
    }

    /**
     * A directory that was checked.
     *
     * @param checked how many things of which kind
     */
    record Checked(
            String directory,
            String kind,
            Map<String, Long> checked,
            long readBytes,
            long damages,
            long damagedBytes,
            long notes,
            long notedBytes) {}

    /** @param findings at most 10,000 of them */
    record Summary(
            long damages,
            long damagedBytes,
            long notes,
            long notedBytes,
            long readBytes,
            List<Checked> directories,
            List<Finding> findings) {}

    Findings begin(Path directory, String kind) {
        progress.at(kind);
        if (!json) {
            progress.clear();
            out.println(kind + " " + directory);
        }
        return new Findings(this::take, bytes -> progress.progress(readBefore + bytes));
    }

    private void take(Finding finding) {
        if (json) {
            if (kept.size() < MAX_JSON_FINDINGS) {
                kept.add(finding);
            }
            return;
        }
        progress.clear();
        String bytes = finding.bytes() == 0 ? "" : " (" + ByteSize.human(finding.bytes()) + ")";
        out.println("  " + (finding.severity() == Finding.Severity.DAMAGE ? "DAMAGE " : "note   ") + finding.kind()
                + "  " + finding.place() + bytes + ": " + finding.meaning() + " " + finding.advice());
    }

    void end(Path directory, String kind, Findings findings) {
        readBefore += findings.readBytes();
        directories.add(new Checked(
                directory.toString(),
                kind,
                findings.counts(),
                findings.readBytes(),
                findings.damages(),
                findings.damagedBytes(),
                findings.notes(),
                findings.notedBytes()));
        progress.clear();
        if (!json) {
            String counts = findings.counts().entrySet().stream()
                    .map(count -> count.getValue() + " " + count.getKey())
                    .collect(Collectors.joining(", "));
            out.println("  " + (counts.isEmpty() ? "" : counts + ": ")
                    + (findings.damages() == 0 ? "no damage" : findings.damages() + " damaged"));
        }
    }

    Summary summary() {
        return new Summary(
                directories.stream().mapToLong(Checked::damages).sum(),
                directories.stream().mapToLong(Checked::damagedBytes).sum(),
                directories.stream().mapToLong(Checked::notes).sum(),
                directories.stream().mapToLong(Checked::notedBytes).sum(),
                readBefore,
                List.copyOf(directories),
                List.copyOf(kept));
    }
}
