package io.hawser.store.log;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Fragment;
import io.hawser.core.integrity.Crc32c;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: writes what waits, forces once, completes all of it. Writing and forcing are tasks of a serial queue; what comes meanwhile
 * is the next group.
 *
 * <p>Thread: log-writer, the queue's; any for {@link #append}, {@link #close}, {@link #failure()} and {@link #durableEnd()}.
 */
final class LogWriter implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final byte[] NO_LEAF = new byte[LogFormat.LEAF_BYTES];
    private static final ByteBuffer NO_PAYLOAD = ByteBuffer.allocate(0);

    private final LogConfig config;
    private final LogId id;
    private final SegmentFiles files;
    private final SegmentListFile list;
    private final SpareSegments spares;
    private final SegmentCatalog catalog;
    private final SerialQueue thread;
    private final AppendQueue queue;
    private final LogObserver observer;
    private final Consumer<StorageException> fatal;
    private final PackedGroup packed;
    /** Appends that are to be written before the next are taken. */
    private final ArrayDeque<PendingAppend> group = new ArrayDeque<>();
    /** Appends that are written and not forced, and below their records. */
    private final List<PendingAppend> written = new ArrayList<>();

    private final List<LogRecord> records = new ArrayList<>();

    private @Nullable LogSegment segment;
    private @Nullable StorageFile file;
    private long offset;
    private long sequence;
    private long groupSequence;
    /** The last durable record that is not the log's own. */
    private long lastRecord;

    private volatile LogPosition durableEnd;
    private volatile long durableSequence;
    private volatile @Nullable StorageException failure;

    LogWriter(
            LogConfig config,
            LogId id,
            SegmentFiles files,
            SegmentListFile list,
            SpareSegments spares,
            SegmentCatalog catalog,
            LogObserver observer,
            Consumer<StorageException> fatal,
            long lastSequence) {
        this.config = config;
        this.id = id;
        this.files = files;
        this.list = list;
        this.spares = spares;
        this.catalog = catalog;
        this.thread = config.runtime().disk().serial(Lane.JOURNAL, config.threadName());
        this.queue = new AppendQueue(config.maxQueuedBytes(), () -> thread.execute(this));
        this.observer = observer;
        this.fatal = fatal;
        this.packed = new PackedGroup(id, LogFormat.STAGING_BYTES);
        this.sequence = lastSequence;
        this.durableSequence = lastSequence;
        this.lastRecord = lastSequence;
        this.durableEnd = new LogPosition(catalog.lastNumber() + 1, LogFormat.BLOCK_BYTES);
    }

    LogPosition durableEnd() {
        return durableEnd;
    }

    long durableSequence() {
        return durableSequence;
    }

    @Nullable
    StorageException failure() {
        return failure;
    }

    /** Has it written, or says why not. */
    @Nullable
    StorageException append(PendingAppend append) {
        return queue.put(append);
    }

    /** Writes what waits and ends the segment. Blocks. */
    void close(StorageException reason) {
        queue.close(reason);
        thread.close();
    }

    /** One step: writes a group, or what of it has room in the segment; or forces that. */
    @Override
    public void run() {
        try {
            if (!records.isEmpty()) {
                commit();
            } else {
                if (group.isEmpty()) {
                    queue.take(group, config.maxGroupBytes());
                }
                if (group.isEmpty()) { // closed
                    finish();
                    return;
                }
                writeGroup();
            }
            if (!records.isEmpty() || !group.isEmpty() || !queue.pause()) {
                thread.execute(this);
            }
        } catch (StorageException e) {
            die(e);
        } catch (RuntimeException | Error e) {
            die(new StorageException("the log's writer failed: " + e, e));
        }
    }

    private void finish() throws StorageException {
        if (file != null) {
            endSegment();
            list.closed(lastRecord);
        }
    }

    private void writeGroup() throws StorageException {
        for (PendingAppend next = group.peek(); next != null && !waitsForForce(next); next = group.peek()) {
            writeOne(next);
            group.remove();
        }
        if (file != null) {
            flush(file);
        }
    }

    /** Whether another segment begins before it, and what is in this one has to be durable first. */
    private boolean waitsForForce(PendingAppend next) {
        return !records.isEmpty() && (next.roll() || !hasRoomFor(next.lengthBytes()));
    }

    private void writeOne(PendingAppend append) throws StorageException {
        if (append.roll()) {
            endSegment();
            return;
        }
        StorageFile target = roomFor(append.lengthBytes());
        if (append.bulk() || !packed.hasRoomFor(append.lengthBytes())) {
            flush(target); // its padding takes a number of its own, before this record does
        }
        sequence++;
        RecordHeader header = append.bulk() ? writeBulk(target, append) : pack(append);
        records.add(header.toRecord(append.body()));
        written.add(append);
    }

    /** The file that a record of that length goes to, ending the segment if it is full. */
    private StorageFile roomFor(int lengthBytes) throws StorageException {
        StorageFile current = file;
        if (current != null) {
            if (hasRoomFor(lengthBytes)) {
                return current;
            }
            endSegment();
        }
        return beginSegment();
    }

    private boolean hasRoomFor(int lengthBytes) {
        return offset + packed.lengthBytes() + lengthBytes + 4L * LogFormat.BLOCK_BYTES <= config.segmentSizeBytes();
    }

    private StorageFile beginSegment() throws StorageException {
        long number = catalog.lastNumber() + 1;
        Path spare = spares.take();
        SegmentHeader header = new SegmentHeader(id, number, sequence + 1, config.epoch(), spare != null);
        StorageFile begun = files.create(header, spare != null ? spare : files.freshPath(number));
        config.runtime().crashPoints().reached("log.before-list");
        list.begun(number, sequence);
        LogSegment fresh = new LogSegment(header, files.segmentPath(number), begun.sizeBytes(), false);
        catalog.add(fresh);
        file = begun;
        segment = fresh;
        offset = LogFormat.BLOCK_BYTES;
        groupSequence = sequence + 1;
        packed.begin(number, offset, config.epoch(), groupSequence);
        config.runtime().crashPoints().reached("log.after-segment-begin");
        return begun;
    }

    /** Seals the segment, in which all is durable, and closes it. */
    private void endSegment() throws StorageException {
        StorageFile current = file;
        if (current == null) {
            return;
        }
        LogSegment ending = Objects.requireNonNull(segment);
        sequence++;
        packed.seal(sequence);
        flush(current);
        current.force(false);
        durableSequence = sequence;
        durableEnd = new LogPosition(ending.number() + 1, LogFormat.BLOCK_BYTES);
        ending.sealedAt(Math.max(ending.sizeBytes(), offset));
        current.close();
        file = null;
        segment = null;
        config.runtime().crashPoints().reached("log.after-segment-end");
    }

    private RecordHeader writeBulk(StorageFile target, PendingAppend append) throws StorageException {
        Fragment fragment = Objects.requireNonNull(append.fragment());
        RecordHeader header = new RecordHeader(
                append.kind(),
                LogFormat.FLAG_BULK | LogFormat.FLAG_KEYED,
                sequence,
                config.epoch(),
                groupSequence,
                append.body().length,
                fragment.length(),
                append.key(),
                append.index(),
                fragment.leaf(),
                Crc32c.of(append.body()),
                fragment.crc32c(),
                new LogPosition(Objects.requireNonNull(segment).number(), offset));
        FragmentBuffer buffer = fragment.buffer();
        ByteBuffer block = buffer.header();
        header.write(block, 0, id);
        block.position(LogFormat.RECORD_HEADER_BYTES);
        block.put(append.body());
        while (block.hasRemaining()) {
            block.put((byte) 0);
        }
        buffer.zeroPadding(fragment.length());
        target.write(buffer.headerAndPayload(fragment.length()), offset);
        moveTo(offset + header.lengthBytes());
        return header;
    }

    private RecordHeader pack(PendingAppend append) {
        Fragment fragment = append.fragment();
        return packed.add(
                append.kind(),
                sequence,
                append.key(),
                append.index(),
                fragment == null ? NO_LEAF : fragment.leaf(),
                append.body(),
                fragment == null ? NO_PAYLOAD : fragment.buffer().payload(fragment.offset(), fragment.length()),
                fragment == null ? 0 : fragment.crc32c());
    }

    private void flush(StorageFile target) throws StorageException {
        if (packed.isEmpty()) {
            return;
        }
        if (packed.needsPadding()) {
            sequence++;
            packed.pad(sequence);
        }
        target.write(packed.bytes(), offset);
        moveTo(offset + packed.lengthBytes());
    }

    private void moveTo(long newOffset) {
        offset = newOffset;
        LogSegment current = Objects.requireNonNull(segment);
        current.grownTo(newOffset);
        packed.begin(current.number(), offset, config.epoch(), groupSequence);
    }

    private void commit() throws StorageException {
        StorageFile current = Objects.requireNonNull(file);
        config.runtime().crashPoints().reached("log.before-force");
        current.force(false);
        config.runtime().crashPoints().reached("log.after-force");
        durableSequence = sequence;
        lastRecord = records.get(records.size() - 1).sequence();
        durableEnd = new LogPosition(Objects.requireNonNull(segment).number(), offset);
        observer.durable(List.copyOf(records));
        complete();
        groupSequence = sequence + 1;
        packed.begin(Objects.requireNonNull(segment).number(), offset, config.epoch(), groupSequence);
    }

    private void complete() {
        for (int i = 0; i < records.size(); i++) {
            PendingAppend append = written.get(i);
            LogRecord record = records.get(i);
            append.releasePayload();
            append.done().durable(record.sequence(), record.position());
        }
        written.clear();
        records.clear();
    }

    private void die(StorageException cause) {
        failure = cause;
        LOG.atError()
                .addKeyValue("directory", config.directory())
                .setCause(cause)
                .log("The log has failed; nothing more is acked from it");
        fatal.accept(cause);
        queue.close(cause);
        written.addAll(group); // not written, but failed with the others
        group.clear();
        queue.drain(written);
        for (PendingAppend append : written) {
            append.releasePayload();
            append.done().failed(cause);
        }
        written.clear();
        records.clear();
        if (file != null) {
            file.close();
        }
    }
}
