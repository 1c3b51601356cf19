package io.hawser.store.log;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of records as a store sees it, wherever it is kept. What it promises: an append that was answered as durable
 * is there after any crash, and with it all that were appended before; records are shown in the order in which they were appended.
 * Fragments have come in any order, and in a log that is not on this machine one may overtake others: of what is appended, only
 * fragments, and only fragments that follow each other.
 * {@link SegmentLog} keeps them in files of this machine.
 *
 * <p>A log that could not write is dead: every append from then on fails.
 *
 * <p>Thread: any, where a method does not say otherwise.
 */
public interface RecordLog extends AutoCloseable {
    /**
     * Appends a small record.
     *
     * @param kind 1 to {@link LogRecord#MAX_KIND}
     * @param index whatever the kind makes of it
     * @param body at most {@link SegmentLog#maxBodyBytes()}; not to be changed afterwards
     */
    void append(int kind, @Nullable TransferKey key, long index, byte[] body, AppendCallback done);

    /**
     * Appends a record with a fragment as its payload. The buffer is retained until it has been written.
     *
     * @param body at most {@link SegmentLog#maxFragmentBodyBytes()}, or with a payload of at most 64 KiB whatever fits with it into
     *     {@link SegmentLog#maxBodyBytes()}; not to be changed afterwards
     */
    void append(int kind, Fragment fragment, byte[] body, AppendCallback done);

    /**
     * Reads a record and its payload, which comes to lie at the beginning of {@code into}'s payload area, and checks it.
     * Blocks.
     *
     * @param expectedPayloadLength what the caller believes the payload's length to be; if it is right, one read does
     * @throws io.hawser.store.storage.PathMissingException if it has been deleted
     * @throws io.hawser.store.storage.CorruptRecordException if it does not agree with its checksums
     */
    LogRecord read(LogPosition position, int expectedPayloadLength, FragmentBuffer into) throws StorageException;

    /**
     * Shows {@code visitor} all records at or after {@code from} that were durable when this was called. Payloads are not
     * read. Damage is reported (see {@link #damages()}) and the records after it are shown. Blocks.
     */
    void replay(LogPosition from, RecordVisitor visitor) throws StorageException;

    /** Places that were found damaged since the log was opened. */
    LogDamages damages();

    /** The 32 hex digits that tell this log from every other. */
    String id();

    /** Where the next record would begin at the earliest: past every durable one. */
    LogPosition end();

    /** The number of the last record that earlier runs had left when the log was opened, 0 if there was none. */
    long foundSequence();

    /** The segments, by ascending number. */
    List<SegmentInfo> segments();

    /** Bytes that it takes where it is kept. */
    long sizeBytes();

    /** Bytes that it has taken and that wait to be used again; part of {@link #sizeBytes()}. */
    long spareBytes();

    /** Deletes a sealed segment. The newest segment stays, whatever is asked. Blocks shortly. */
    void deleteSegment(long number) throws StorageException;

    /** Writes what waits, then closes. Blocks. Idempotent. */
    @Override
    void close();
}
