package io.hawser.ops.event;

import io.hawser.store.check.Findings;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogEpochReader;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordVisitor;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The journal of events on this machine's disk: a segment log in {@code log}, a file for each receiver beside it.
 *
 * <p>Thread: any; {@code hawser-events-log} writes.
 */
final class LocalEventJournal implements EventJournal {
    private static final String PLACE = "cursor-";
    private static final long SEGMENT_BYTES = 4L << 20;
    private static final int MAX_QUEUED_BYTES = 8 << 20;
    private static final int MAX_GROUP_BYTES = 1 << 20;
    /** Others need the rest of a full disk more. */
    private static final long MIN_FREE_BYTES = 16L << 20;
    /** So much of the quota is kept free for events, as a part of the disk. */
    private static final int APART_PARTS = 100;
    /** Where the first record of a segment begins. */
    private static final long FIRST_OFFSET = 4096;

    private final Storage storage;
    private final Path directory;
    private final SegmentLog log;

    private LocalEventJournal(Storage storage, Path directory, SegmentLog log) {
        this.storage = storage;
        this.directory = directory;
        this.log = log;
    }

    /** @param quotaBytes the events' quota; of what they do not use of it, up to a hundredth of the disk is set apart for them */
    static EventJournal open(
            Storage storage, Path directory, long quotaBytes, StoreRuntime runtime, Consumer<StorageException> fatal)
            throws StorageException {
        storage.createPrivateDirectory(directory);
        Path files = EventLog.segmentsIn(directory);
        long epoch = LogEpochReader.youngest(storage, files) + 1;
        LogConfig defaults = LogConfig.of(files, epoch, "hawser-events-log", runtime);
        LogConfig config = new LogConfig(
                files, epoch, defaults.threadName(), runtime, SEGMENT_BYTES, 0, MAX_GROUP_BYTES, MAX_QUEUED_BYTES);
        try {
            SegmentLog log = SegmentLog.open(storage, config, LogObserver.NONE, fatal);
            long apart = Math.min(quotaBytes, storage.totalSpaceBytes(directory) / APART_PARTS);
            storage.setApart(directory, () -> Math.max(0, apart - log.sizeBytes()));
            return new LocalEventJournal(storage, directory, log);
        } catch (CorruptRecordException e) {
            throw new CorruptRecordException(
                    Findings.sentence(e) + " This is the node's event log: no transfer depends on it. To start without"
                            + " the events and the history that are in it, move " + directory + " away.",
                    e);
        }
    }

    @Override
    public String id() {
        return log.id();
    }

    @Override
    public void append(long firstSequence, byte[] body, AppendCallback done) {
        log.append(KIND, null, firstSequence, body, done);
    }

    @Override
    public void showFirst(RecordVisitor visitor) throws StorageException {
        for (SegmentInfo segment : log.segments()) {
            LogPosition position = new LogPosition(segment.number(), FIRST_OFFSET);
            try {
                LogRecord first = log.read(position);
                if (first.kind() <= LogRecord.MAX_KIND) {
                    visitor.record(first);
                } // else the node was killed before the segment had an event, and the next start has sealed it
            } catch (CorruptRecordException e) {
                log.damages().unreadable(position, 0);
            }
        }
    }

    @Override
    public void replay(long segment, long sequence, RecordVisitor visitor) throws StorageException {
        log.replay(new LogPosition(segment, 0), visitor);
    }

    @Override
    public List<SegmentInfo> segments() {
        return log.segments();
    }

    @Override
    public void deleteSegment(long number) throws StorageException {
        log.deleteSegment(number);
    }

    @Override
    public long sizeBytes() {
        return log.sizeBytes();
    }

    @Override
    public boolean isFull() throws StorageException {
        return storage.usableSpaceBytes(directory) < MIN_FREE_BYTES;
    }

    @Override
    public int damages() {
        return log.damages().all().size();
    }

    @Override
    public void scrub(SerialQueue queue, DiskExecutor disk) {
        new EventLogScrub(log, queue, disk).begin();
    }

    @Override
    public String place(String receiver) throws StorageException {
        Path file = directory.resolve(PLACE + receiver);
        return storage.facts(file) == null ? "" : new String(storage.readAll(file), StandardCharsets.US_ASCII).strip();
    }

    @Override
    public void place(String receiver, String place) throws StorageException {
        storage.replaceAll(directory.resolve(PLACE + receiver), (place + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        log.close();
    }
}
