package io.hawser.store.log;

import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the highest node epoch in a log that has not been opened yet.
 *
 * <p>Thread: any; blocks.
 */
public final class LogEpochReader {
    private static final Logger LOG = LoggerFactory.getLogger(LogEpochReader.class);

    private LogEpochReader() {}

    /**
     * The epoch of the youngest segment whose header can be read, 0 if there is none. Epochs never fall from segment to segment, so
     * one header is read of a log that is whole. Nothing is changed.
     *
     * @param directory of a log, which need not be there
     */
    public static long youngest(Storage storage, Path directory) throws StorageException {
        SegmentFiles files = new SegmentFiles(storage, directory);
        List<String> names = new ArrayList<>(storage.list(directory));
        names.removeIf(name -> !SegmentFiles.isSegment(name));
        for (int i = names.size() - 1; i >= 0; i--) { // sorted; each name has the same length
            try {
                return files.readHeader(directory.resolve(names.get(i))).epoch();
            } catch (CorruptRecordException e) {
                LOG.atDebug().setCause(e).log("The opening of the log reports this; the segment before is asked");
            }
        }
        return 0;
    }
}
