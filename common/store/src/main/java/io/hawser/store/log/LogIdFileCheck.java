package io.hawser.store.log;

import io.hawser.store.check.Findings;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log's id, from its file or, where that is lost, from a segment.
 *
 * <p>Thread: its creator.
 */
record LogIdFileCheck(SegmentFiles files, Findings findings) {
    /** Null if there is no log, or nothing tells its id. */
    @Nullable
    LogId idOf(List<Long> segments) throws StorageException {
        Path path = files.directory().resolve(SegmentFiles.ID_FILE);
        if (files.storage().facts(path) != null) {
            try {
                LogId id = LogId.parse(new String(files.storage().readAll(path), StandardCharsets.US_ASCII).strip());
                LogId right = new LogIdEvidence(files, segments).against(id);
                return right == null ? id : damaged(path, id, right);
            } catch (IllegalArgumentException e) {
                return lost(path, "should hold 32 hex digits and does not", segments);
            }
        }
        return segments.isEmpty() ? null : lost(path, "is missing although there are segments beside it", segments);
    }

    private LogId damaged(Path path, LogId id, LogId right) {
        findings.damage(
                "log.id",
                path,
                0,
                "The file names log " + id + ", and what lies beside it is of log " + right
                        + ": the file is damaged, and the node does not start.",
                "Write these 32 digits into it: " + right + ".");
        return right;
    }

    private @Nullable LogId lost(Path path, String what, List<Long> segments) throws StorageException {
        LogId id = fromSegments(segments);
        findings.damage(
                "log.id",
                path,
                0,
                "The file " + what + ": the node does not start.",
                id == null
                        ? "Restore it from a backup."
                        : "Restore it from a backup, or write these 32 digits into it: " + id + ".");
        return id;
    }

    private @Nullable LogId fromSegments(List<Long> segments) {
        LogId id = null;
        for (int i = 0; i < segments.size() && id == null; i++) {
            id = fromSegment(files.segmentPath(segments.get(i)));
        }
        return id;
    }

    /** Null if it cannot be read: another one may tell. */
    private @Nullable LogId fromSegment(Path path) {
        try {
            return files.readHeader(path).log();
        } catch (StorageException e) {
            return null;
        }
    }
}
