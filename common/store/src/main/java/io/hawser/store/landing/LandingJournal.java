package io.hawser.store.landing;

import io.hawser.core.model.TransferKey;
import io.hawser.store.event.Cause;
import io.hawser.store.journal.JournalCleaner;
import io.hawser.store.journal.JournalFootprint;
import io.hawser.store.journal.JournalUse;
import io.hawser.store.journal.JournaledTransfer;
import io.hawser.store.journal.TransferJournal;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.OrphanGuard;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.storage.StorageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The landing area's journal: the last record of each transfer, durable.
 *
 * <p>Thread: the loop, after {@link #open}.
 */
final class LandingJournal implements AutoCloseable {
    private static final int CLEAN_EVERY_APPENDS = 256;

    private final TransferJournal<LandingRecord> journal;
    private final OrphanGuard orphans;
    private final JournalCleaner<LandingRecord> cleaner;
    private final Consumer<StorageException> fatal;
    private final Map<TransferKey, LastRecord> last = new LinkedHashMap<>();
    private final JournalUse use;
    private final LandingEvents events;
    /** The first append of a run cleans: each run leaves a segment, however short it was. */
    private int appendsSinceCleaning = CLEAN_EVERY_APPENDS;

    private LandingJournal(
            TransferJournal<LandingRecord> journal,
            OrphanGuard orphans,
            LandingContext context,
            Consumer<StorageException> fatal) {
        LandingWorkers workers = context.workers();
        this.journal = journal;
        this.orphans = orphans;
        this.fatal = fatal;
        this.use = new JournalUse(context.runtime().events()::neededSegment);
        this.events = new LandingEvents(context.runtime(), context.options().subscription());
        this.cleaner = new JournalCleaner<>(
                journal, use, last::values, List::of, null, task -> workers.execute(Lane.JOURNAL, task), workers::post);
    }

    /** What is to be known of one transfer. */
    private static final class LastRecord implements JournaledTransfer<LandingRecord> {
        private final JournalFootprint footprint = new JournalFootprint();
        private LandingRecord record;

        LastRecord(LandingRecord record) {
            this.record = record;
        }

        @Override
        public JournalFootprint footprint() {
            return footprint;
        }

        @Override
        public boolean isAtRest() {
            return footprint.isAtRest();
        }

        @Override
        public List<LandingRecord> toRecords() {
            return List.of(record);
        }

        @Override
        public @Nullable JournaledContent content() {
            return null;
        }

        @Override
        public void apply(LandingRecord durable, LogPosition position, long lengthBytes) {
            footprint.replace(position.segment(), lengthBytes); // the last record says all
        }
    }

    /**
     * Opens the journal and reads it. Blocks.
     *
     * @param fatal told on the loop when the journal dies
     */
    static LandingJournal open(LandingContext context, Consumer<StorageException> fatal) throws StorageException {
        LandingWorkers workers = context.workers();
        OrphanGuard orphans = OrphanGuard.of(context.knownLog());
        LogConfig config = LogConfig.of(
                        context.knownLog().directory(),
                        context.directory().epoch(),
                        "hawser-landing-journal",
                        context.runtime())
                .withSegments(
                        context.options().journal().segmentSizeBytes(),
                        context.options().journal().spareSegments());
        TransferJournal<LandingRecord> opened =
                TransferJournal.open(context.storage(), config, LandingRecordKinds.KINDS, workers::post, fatal);
        LandingJournal journal = new LandingJournal(opened, orphans, context, fatal);
        try {
            context.knownLog().learn(opened.logId());
            LogPosition end = opened.end();
            context.runtime().events().begin(opened.logId(), new Cause(end.segment(), end.offset()));
            opened.replay(journal::replay);
        } catch (StorageException | RuntimeException e) {
            opened.close();
            throw e;
        }
        return journal;
    }

    /** How many places could not be read when it was opened. */
    int damages() {
        return journal.damages().size();
    }

    /** Whether files of which no record speaks are kept: the record may be lost. */
    boolean keepsOrphans() throws StorageException {
        return orphans.keeps(journal.mayLackRecords());
    }

    private void replay(LandingRecord record, LogPosition position, long lengthBytes) {
        LandingRecord before = recordOf(record.key());
        LastRecord known = apply(record);
        events.durable(before, record, position);
        if (known != null) {
            known.apply(record, position, lengthBytes);
        }
    }

    private @Nullable LandingRecord recordOf(TransferKey key) {
        LastRecord known = last.get(key);
        return known == null ? null : known.record;
    }

    /** Keeps the last word on a transfer; null if nothing is to be known of it. */
    private @Nullable LastRecord apply(LandingRecord record) {
        if (record instanceof LandingRecord.Dropped) {
            forget(record.key());
            return null;
        }
        LastRecord known = last.get(record.key());
        if (known == null) {
            known = new LastRecord(record);
            last.put(record.key(), known);
            use.add(known.footprint);
        }
        known.record = record;
        return known;
    }

    /** The last record of everything that is known. */
    List<LandingRecord> records() {
        return last.values().stream().map(known -> known.record).toList();
    }

    /** Appends, and runs {@code durable} on the loop when the record is. If it never will be, the journal is dead. */
    void append(LandingRecord record, Runnable durable) {
        LandingRecord before = recordOf(record.key());
        LastRecord known = apply(record);
        if (known != null) {
            known.footprint.recordLeaves();
        }
        journal.append(
                record,
                (position, lengthBytes) -> {
                    if (known != null) {
                        known.footprint.recordArrived();
                        known.apply(record, position, lengthBytes);
                    }
                    events.durable(before, record, position);
                    durable.run();
                },
                fatal);
        if (++appendsSinceCleaning > CLEAN_EVERY_APPENDS) {
            appendsSinceCleaning = 0;
            cleaner.tick();
        }
    }

    /** Nothing more needs to be known of {@code key}: its records go with their segments. */
    void forget(TransferKey key) {
        LastRecord known = last.remove(key);
        if (known != null) {
            use.remove(known.footprint);
            known.footprint.clear(); // the cleaner may be about to append it once more
        }
    }

    /** Writes what waits, then closes. Blocks. */
    @Override
    public void close() {
        journal.close();
    }
}
