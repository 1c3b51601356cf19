package io.hawser.store.log;

import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the segments that are there with those that the file {@code segments} lists, and refuses a log that has lost one. Where the
 * file is gone or cannot be used, it is made again from what is there: deleting it is how an operator accepts a loss.
 *
 * <p>Thread: the one that opens the log.
 */
final class SegmentListRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentListRecovery.class);

    private final SegmentFiles files;
    private final LogId id;
    private final boolean isNew;
    private final List<Long> numbers;
    private final @Nullable SegmentListEntry found;

    /**
     * @param isNew whether the log has just got its id
     * @param numbers the segments that are there, ascending
     */
    SegmentListRecovery(SegmentFiles files, LogId id, boolean isNew, List<Long> numbers) throws StorageException {
        this.files = files;
        this.id = id;
        this.isNew = isNew;
        this.numbers = numbers;
        SegmentListEntry listing = SegmentListFile.read(files);
        this.found = listing != null && listing.log().equals(id) ? listing : null;
    }

    /** Changes nothing. */
    void refuseWhatIsMissing() throws StorageException {
        if (found == null) {
            return;
        }
        SegmentListComparison listed = new SegmentListComparison(found, numbers);
        if (listed.isOlderThanTheLog()) {
            throw new CorruptRecordException(
                    SegmentListFile.pathOf(files) + " lists segments up to " + found.last() + " and there is segment "
                            + numbers.get(numbers.size() - 1) + ": the list is older than the log. Restore the whole"
                            + " directory from one backup; or, if no segment is missing, delete the list: the next start makes"
                            + " it again.");
        }
        List<Long> missing = listed.missing();
        if (!missing.isEmpty()) {
            throw new CorruptRecordException(files.segmentPath(missing.get(0)) + " is missing, "
                    + (missing.size() == 1 ? "" : "and " + (missing.size() - 1) + " more, ")
                    + "although " + SegmentListFile.pathOf(files) + " lists it: this log never deleted it."
                    + SegmentListComparison.wayOut(SegmentListFile.pathOf(files)));
        }
    }

    /** Changes nothing. */
    void refuseALostEnd(Path segment, long lastSequence) throws CorruptRecordException {
        if (found != null && lastSequence < found.lastRecord()) {
            throw new CorruptRecordException(segment + " ends with record " + lastSequence
                    + ", although records up to " + found.lastRecord() + " were durable in it."
                    + SegmentListComparison.wayOut(SegmentListFile.pathOf(files)));
        }
    }

    /** Whether nothing tells which segments are gone: maybe all, so that none is there is no sign of a new log. */
    boolean isMadeAgain() {
        return found == null && !isNew;
    }

    /**
     * Makes the list right for what is there, durably.
     *
     * @param lastRecord the last record in the log that is not the log's own
     */
    SegmentListFile settle(long lastRecord) throws StorageException {
        if (found != null) {
            long last = numbers.isEmpty() ? found.last() : numbers.get(numbers.size() - 1);
            return SegmentListFile.continued(
                    files, found, found.after(found.first(), last, Math.max(found.lastRecord(), lastRecord)));
        }
        if (isMadeAgain()) {
            LOG.atWarn()
                    .addKeyValue("file", SegmentListFile.pathOf(files))
                    .addKeyValue("segments", numbers.size())
                    .log(
                            "The list of the log's segments is not there or cannot be used, and is made again from what is there:"
                                    + " a segment that is gone already is not noticed");
        }
        return SegmentListFile.made(files, SegmentListComparison.of(id, numbers, lastRecord));
    }
}
