package io.hawser.store.log;

import io.hawser.store.storage.StorageException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the segments and their list say of the log's id: the file {@code log.id} has no checksum.
 *
 * <p>Thread: its creator.
 */
record LogIdEvidence(SegmentFiles files, List<Long> segments) {
    private static final Logger LOG = LoggerFactory.getLogger(LogIdEvidence.class);

    /** The id that they agree on, where none of them is of {@code id}; else null. */
    @Nullable
    LogId against(LogId id) {
        LogId listed = listed();
        Set<LogId> found = new HashSet<>();
        segments.forEach(segment -> addIdOf(segment, found));
        if (found.isEmpty() && listed != null) {
            found.add(listed);
        }
        return found.size() == 1 && !found.contains(id) && !id.equals(listed)
                ? found.iterator().next()
                : null;
    }

    private void addIdOf(long segment, Set<LogId> found) {
        try {
            found.add(files.readHeader(files.segmentPath(segment)).log());
        } catch (StorageException e) {
            LOG.atDebug().addKeyValue("segment", segment).setCause(e).log("Its header does not tell the log's id");
        }
    }

    private @Nullable LogId listed() {
        try {
            SegmentListEntry entry = SegmentListFile.read(files);
            return entry == null ? null : entry.log();
        } catch (StorageException e) {
            return null; // who reads the list for its own sake tells of it
        }
    }
}
