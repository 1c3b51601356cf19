package io.hawser.store.log;

import io.hawser.store.check.Findings;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the segments are those that the file {@code segments} lists.
 *
 * <p>Thread: its creator.
 */
final class SegmentListFileCheck {
    private final SegmentFiles files;
    private final Findings findings;
    private @Nullable SegmentListEntry listing;

    SegmentListFileCheck(SegmentFiles files, Findings findings) {
        this.files = files;
        this.findings = findings;
    }

    /**
     * @param numbers the segments that are there, ascending
     * @param id the log's, or null where there is none or it is not known
     * @return whether no segment is known to be missing
     */
    boolean run(List<Long> numbers, @Nullable LogId id) throws StorageException {
        Path path = SegmentListFile.pathOf(files);
        if (!SegmentListFile.exists(files)) {
            if (id != null || !numbers.isEmpty()) {
                findings.note(
                        "log.no-list",
                        path,
                        0,
                        "There is no list of the log's segments, so nothing tells whether the oldest or the newest are gone.",
                        "Nothing: the next start makes it.");
            }
            return true;
        }
        SegmentListEntry found;
        try {
            found = SegmentListFile.read(files);
        } catch (FormatTooNewException e) {
            findings.damage(
                    "log.version",
                    path,
                    0,
                    Findings.sentence(e),
                    "Run the version of Hawser that wrote it; nothing is known to be damaged.");
            return true;
        }
        if (found == null || (id != null && !found.log().equals(id))) {
            findings.damage(
                    "log.list",
                    path,
                    files.sizeBytes(path),
                    found == null
                            ? "The list of the log's segments has no whole entry."
                            : "It lists the segments of log " + found.log() + ", not of log " + id + ".",
                    "Check the disk (dmesg, smartctl). The next start makes the list again from the segments that are there.");
            return true;
        }
        listing = found;
        return compare(new SegmentListComparison(found, numbers), path);
    }

    private boolean compare(SegmentListComparison listed, Path path) {
        if (listed.isOlderThanTheLog()) {
            findings.damage(
                    "log.list",
                    path,
                    0,
                    "It lists segments up to " + listed.listing().last()
                            + " and there are newer ones: it is older than the log, and the node does not start.",
                    "Restore all of the directory from one backup; or, if no segment is missing, delete the list.");
            return true;
        }
        List<Long> numbers = listed.numbers();
        List<Long> missing = listed.missing();
        for (long number : missing) {
            boolean isBetween = !numbers.isEmpty()
                    && number > numbers.get(0)
                    && number < numbers.get(numbers.size() - 1); // LogCheck tells of such a gap, list or not
            if (!isBetween) {
                findings.damage(
                        "log.missing-segment",
                        files.segmentPath(number),
                        0,
                        "The log's list has it and the log never deleted it: the node does not start.",
                        "Do as follows:" + SegmentListComparison.wayOut(path));
            }
        }
        return missing.isEmpty();
    }

    /** Whether there is a list that can be used. */
    boolean isUsable() {
        return listing != null;
    }

    /**
     * Whether the log ends where the list says, or later.
     *
     * @param lastSequence the last record that can be read
     */
    boolean hasItsEnd(Path lastSegment, long lastSequence) {
        SegmentListEntry known = listing;
        if (known == null || lastSequence >= known.lastRecord()) {
            return true;
        }
        findings.damage(
                "log.lost-end",
                lastSegment,
                0,
                "It ends with record " + lastSequence + " and records up to " + known.lastRecord()
                        + " were durable: the node does not start.",
                "Do as follows:" + SegmentListComparison.wayOut(SegmentListFile.pathOf(files)));
        return false;
    }
}
