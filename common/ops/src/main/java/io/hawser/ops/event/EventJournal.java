package io.hawser.ops.event;

import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.RecordVisitor;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.StorageException;
import java.util.List;

/**
 * Where an {@link EventLog} keeps its records, in order and in segments, and the places of its receivers: in files of this machine, or where
 * the node's store is. A record's kind is {@link #KIND}, its index the number of its first event.
 *
 * <p>A journal that could not write is dead: every append from then on fails.
 *
 * <p>Thread: any.
 */
public interface EventJournal extends AutoCloseable {
    /** Of all its records. */
    int KIND = 1;

    /** The 32 hex digits that tell it from every other. */
    String id();

    /** Appends a record of events. {@code done} is called on the journal's thread. */
    void append(long firstSequence, byte[] body, AppendCallback done);

    /** Shows the first record with events of each segment, in order. One that cannot be read is damage, and left out. Blocks. */
    void showFirst(RecordVisitor visitor) throws StorageException;

    /**
     * Shows the records from that segment on, in order. Blocks.
     *
     * @param segment 0 for the oldest
     * @param sequence records whose events all have lower numbers may be left out
     */
    void replay(long segment, long sequence, RecordVisitor visitor) throws StorageException;

    /** The segments, by ascending number. */
    List<SegmentInfo> segments();

    /** Deletes a sealed segment, perhaps a little later. Blocks shortly. */
    void deleteSegment(long number) throws StorageException;

    /** Bytes that it takes where it is kept, about. */
    long sizeBytes();

    /** Whether others need the room that is left. Blocks shortly. */
    boolean isFull() throws StorageException;

    /** How many of its places were found damaged since it was opened. */
    int damages();

    /** Begins to read slowly, on {@code queue}, what earlier runs left, for damage; if nothing else does that where it is kept. */
    void scrub(SerialQueue queue, DiskExecutor disk);

    /** How far a receiver has come, as {@link #place(String, String)} was told; empty if it was not. Blocks. */
    String place(String receiver) throws StorageException;

    /** Keeps durably how far a receiver has come. Blocks. */
    void place(String receiver, String place) throws StorageException;

    /** Writes what waits, then closes. Blocks. Idempotent. */
    @Override
    void close();
}
