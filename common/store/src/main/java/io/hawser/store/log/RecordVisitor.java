package io.hawser.store.log;

import io.hawser.store.storage.StorageException;

/** Is shown the records of a log in their order. */
@FunctionalInterface
public interface RecordVisitor {
    /** The next record. Its payload is not read; {@link SegmentLog#read} does that. */
    void record(LogRecord record) throws StorageException;
}
