package io.hawser.store.log;

import io.hawser.store.check.Findings;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The names in a log's directory: the segments, and what else lies there and what it costs.
 *
 * <p>Thread: its creator.
 */
record LogDirectoryCheck(SegmentFiles files, Findings findings) {
    /** The segments' numbers, ascending. */
    List<Long> segments() throws StorageException {
        List<Long> numbers = new ArrayList<>();
        for (String name : files.storage().list(files.directory())) {
            if (SegmentFiles.isSegment(name)) {
                segment(name, numbers);
            } else if (name.startsWith(SegmentFiles.SPARE_PREFIX) && !name.endsWith(SegmentFiles.TEMPORARY)) {
                findings.counted("spare segments", 1);
            } else if (!name.equals(SegmentFiles.ID_FILE) && !name.equals(SegmentListFile.FILE)) {
                other(name);
            }
        }
        numbers.sort(null);
        return numbers;
    }

    private void segment(String name, List<Long> numbers) throws StorageException {
        try {
            numbers.add(files.number(name));
        } catch (CorruptRecordException e) {
            Path path = files.directory().resolve(name);
            findings.damage("log.foreign", path, files.sizeBytes(path), Findings.sentence(e), "Move it away.");
        }
    }

    private void other(String name) throws StorageException {
        Path path = files.directory().resolve(name);
        long sizeBytes = files.sizeBytes(path);
        if (name.endsWith(SegmentFiles.TEMPORARY)) {
            findings.note(
                    "log.temporary",
                    path,
                    sizeBytes,
                    "Half made when the node ended.",
                    "Nothing: the next start deletes it.");
        } else if (name.startsWith(SegmentFiles.TORN_PREFIX)) {
            findings.note(
                    "log.torn-copy",
                    path,
                    sizeBytes,
                    "A copy of what a start cut off the end of the log; it was never acked.",
                    "Delete it when you no longer need it; the last eight are kept.");
        } else {
            findings.note("log.unknown-file", path, sizeBytes, "None of the log's files.", "Move it away.");
        }
    }
}
