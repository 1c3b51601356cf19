package io.hawser.store.journal;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogDamage;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a store: a segment log of one role's records. Appends become durable in their order, and complete on the loop in that
 * order.
 *
 * <p>Thread: the loop for appends, any for reads; blocking calls say so.
 *
 * @param <R> the role's records
 */
public final class TransferJournal<R extends JournalRecord> implements AutoCloseable {
    /** Room that a record takes beside its body, at most. */
    private static final int OVERHEAD_BYTES = 192;

    private final SegmentLog log;
    private final RecordKinds<R> kinds;
    private final Executor loop;
    private final Queue<Barrier> barriers = new ArrayDeque<>();
    private long appended;
    private long completed;

    private TransferJournal(SegmentLog log, RecordKinds<R> kinds, Executor loop) {
        this.log = log;
        this.kinds = kinds;
        this.loop = loop;
    }

    /** Receives the place of a record that is durable, on the loop. */
    @FunctionalInterface
    public interface Durable {
        /** {@code lengthBytes} is what the record takes of the journal, at most. */
        void durable(LogPosition position, long lengthBytes);
    }

    /** Sees the records of an earlier run. */
    @FunctionalInterface
    public interface Visitor<R> {
        void record(R record, LogPosition position, long lengthBytes) throws StorageException;
    }

    private record Barrier(long appended, Runnable action) {}

    /**
     * Opens it. Blocks.
     *
     * @param loop runs completions, in order, never inside an append
     * @param fatal runs on the loop when the log dies
     */
    public static <R extends JournalRecord> TransferJournal<R> open(
            Storage storage, LogConfig config, RecordKinds<R> kinds, Executor loop, Consumer<StorageException> fatal)
            throws StorageException {
        SegmentLog log =
                SegmentLog.open(storage, config, LogObserver.NONE, cause -> loop.execute(() -> fatal.accept(cause)));
        return new TransferJournal<>(log, kinds, loop);
    }

    /** Shows all records, in their order. Blocks. */
    public void replay(Visitor<R> visitor) throws StorageException {
        log.replay(
                LogPosition.START,
                record -> visitor.record(kinds.decode(record), record.position(), record.lengthBytes()));
    }

    /** Behind the last record. */
    public LogPosition end() {
        return log.end();
    }

    public String logId() {
        return log.id();
    }

    /** Places that could not be read when it was opened. */
    public List<LogDamage> damages() {
        return log.damages().all();
    }

    /** Whether a replay may not have shown all: then no file may be deleted because no record speaks of it. */
    public boolean mayLackRecords() {
        return log.mayLackRecords();
    }

    /** Appends a record; {@code failed} learns on the loop that it is not durable, and never will be. */
    public void append(R record, Durable durable, Consumer<StorageException> failed) {
        append(record, null, durable, failed);
    }

    /** Appends a record with bytes of its transfer, if there are any. Their buffer is retained until they are written. */
    public void append(R record, @Nullable Fragment content, Durable durable, Consumer<StorageException> failed) {
        byte[] body = kinds.encode(record);
        int contentBytes = content == null ? 0 : content.length();
        long lengthBytes = (long) body.length + contentBytes + OVERHEAD_BYTES;
        appended++;
        AppendCallback callback = AppendCallback.of(
                (sequence, position) -> loop.execute(() -> complete(() -> durable.durable(position, lengthBytes))),
                cause -> loop.execute(() -> complete(() -> failed.accept(cause))));
        if (content == null || contentBytes == 0) {
            log.append(kinds.number(record), record.key(), 0, body, callback);
        } else {
            log.append(kinds.number(record), content, body, callback);
        }
    }

    private void complete(Runnable told) {
        completed++;
        try {
            told.run();
        } finally {
            for (Barrier next = barriers.peek(); next != null && next.appended <= completed; next = barriers.peek()) {
                barriers.remove();
                next.action.run();
            }
        }
    }

    /** Runs {@code action} on the loop when everything that was appended so far has completed. */
    void afterAppends(Runnable action) {
        barriers.add(new Barrier(appended, action));
        if (completed == appended) {
            barriers.remove();
            action.run();
        }
    }

    /** The record at {@code position} with its bytes. Blocks. */
    public LogRecord read(LogPosition position, int contentBytes, FragmentBuffer into) throws StorageException {
        return log.read(position, contentBytes, into);
    }

    /** The segments that are full, the oldest first. Blocks. */
    List<SegmentInfo> sealedSegments() {
        return log.segments().stream().filter(SegmentInfo::sealed).toList();
    }

    long sizeBytes() {
        return log.sizeBytes();
    }

    /** Deletes a full segment. Blocks. */
    void deleteSegment(long number) throws StorageException {
        log.deleteSegment(number);
    }

    /** Writes what waits, then closes. Blocks. */
    @Override
    public void close() {
        log.close();
    }
}
