package io.hawser.store.landing;

import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The landing area's memory: the last record of each transfer, durable. Appends become durable in their order. Old segments
 * are given up after the last records of all that is still known have been appended once more, in steps of {@value
 * #CARRY_STEP}.
 *
 * <p>Thread: the loop, after {@link #open}.
 */
final class LandingJournal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LandingJournal.class);
    private static final long SEGMENT_BYTES = 4L << 20;
    private static final int CARRY_STEP = 512;
    private static final int LOOK_EVERY_APPENDS = 256;
    /** Segments that are full before carrying begins; more when the last carrying filled more by itself. */
    private static final int MIN_FULL_SEGMENTS = 4;

    private final SegmentLog log;
    private final DiskExecutor workers;
    private final Consumer<StorageException> fatal;
    private final Map<TransferKey, LandingRecord> last = new LinkedHashMap<>();
    private final ArrayDeque<TransferKey> toCarry = new ArrayDeque<>();
    private List<Long> toDelete = List.of();
    private long nextCarryAtSegments = MIN_FULL_SEGMENTS;
    /** The first append of a life looks: each life leaves a segment, however short it was. */
    private int appendsSinceLook = LOOK_EVERY_APPENDS;

    private boolean carrying;

    private LandingJournal(SegmentLog log, DiskExecutor workers, Consumer<StorageException> fatal) {
        this.log = log;
        this.workers = workers;
        this.fatal = fatal;
    }

    /**
     * Opens the journal and reads it. Blocks.
     *
     * @param fatal told on the loop when the journal dies
     */
    static LandingJournal open(LandingContext context, Consumer<StorageException> fatal) throws StorageException {
        DiskExecutor workers = context.workers();
        LogConfig config = LogConfig.of(
                        context.journalDirectory(), context.directory().epoch(), "hawser-landing-journal")
                .withSegments(SEGMENT_BYTES, 1)
                .withCrashPoints(context.crashPoints());
        Consumer<StorageException> onLoop = cause -> workers.post(() -> fatal.accept(cause));
        SegmentLog log = SegmentLog.open(context.storage(), config, LogObserver.NONE, onLoop);
        LandingJournal journal = new LandingJournal(log, workers, fatal);
        try {
            log.replay(LogPosition.START, journal::replay);
        } catch (StorageException | RuntimeException e) {
            log.close();
            throw e;
        }
        return journal;
    }

    /** How many places could not be read when it was opened. */
    int damages() {
        return log.damages().all().size();
    }

    private void replay(LogRecord record) throws StorageException {
        TransferKey key = record.key();
        if (key != null) {
            fold(last, LandingRecordCodec.decode(record.kind(), key, record.body()));
        }
    }

    /** Keeps the last word on a transfer. */
    static void fold(Map<TransferKey, LandingRecord> last, LandingRecord record) {
        if (record instanceof LandingRecord.Dropped) {
            last.remove(record.key());
        } else {
            last.put(record.key(), record);
        }
    }

    /** The last record of everything that is known. */
    List<LandingRecord> records() {
        return List.copyOf(last.values());
    }

    /** Appends, and runs {@code durable} on the loop when the record is. If it never will be, the journal is dead. */
    void append(LandingRecord record, Runnable durable) {
        fold(last, record);
        log.append(
                LandingRecordCodec.kind(record),
                record.key(),
                0,
                LandingRecordCodec.encode(record),
                AppendCallback.of(
                        (sequence, position) -> workers.post(durable),
                        cause -> workers.post(() -> fatal.accept(cause))));
        carryIfFull();
    }

    /** Nothing more needs to be known of {@code key}: its records go with their segments. */
    void forget(TransferKey key) {
        last.remove(key);
    }

    private void carryIfFull() {
        appendsSinceLook++;
        if (carrying || appendsSinceLook < LOOK_EVERY_APPENDS) {
            return;
        }
        appendsSinceLook = 0;
        List<Long> full = new ArrayList<>();
        for (SegmentInfo segment : log.segments()) {
            if (segment.sealed()) {
                full.add(segment.number());
            }
        }
        if (full.size() >= nextCarryAtSegments) {
            carrying = true;
            toDelete = full;
            toCarry.addAll(last.keySet());
            carryStep();
        }
    }

    /** Appends the last record of some more keys; their order keeps that of their publication, which is in the records. */
    private void carryStep() {
        List<LandingRecord> step = new ArrayList<>();
        while (step.size() < CARRY_STEP && !toCarry.isEmpty()) {
            LandingRecord record = last.get(toCarry.poll());
            if (record != null) {
                step.add(record);
            }
        }
        if (step.isEmpty()) {
            deleteCarried();
            return;
        }
        Runnable next = this::carryStep;
        for (int i = 0; i < step.size(); i++) {
            append(step.get(i), i == step.size() - 1 ? next : () -> {});
        }
    }

    private void deleteCarried() {
        List<Long> segments = toDelete;
        workers.onDisk(
                () -> {
                    for (long segment : segments) {
                        log.deleteSegment(segment);
                    }
                    return segments.size();
                },
                (count, failure) -> {
                    if (failure != null) {
                        fatal.accept(failure);
                        return;
                    }
                    carrying = false;
                    nextCarryAtSegments =
                            Math.max(MIN_FULL_SEGMENTS, 2L * log.segments().size());
                    LOG.atDebug()
                            .addKeyValue("segments", count)
                            .addKeyValue("records", last.size())
                            .log("The landing journal gave up old segments");
                });
    }

    /** Writes what waits, then closes. Blocks. */
    @Override
    public void close() {
        log.close();
    }
}
