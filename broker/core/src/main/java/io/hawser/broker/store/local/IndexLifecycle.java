package io.hawser.broker.store.local;

import io.hawser.broker.store.QuotaResolver;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.RecordLog;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens, catches up, checkpoints, rebuilds and closes the H2 index over one log.
 *
 * <p>Thread: index only.
 */
final class IndexLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(IndexLifecycle.class);
    /** A doubt that says something of the log. */
    static final String AHEAD = "it is ahead of the log";

    private final IndexDatabase database;
    private final RecordLog log;
    private final LocalStoreConfig config;
    private final StoreRuntime runtime;
    private final SerialQueue checks;
    private final DeletionGuard guard;

    private @Nullable H2Index index;
    private volatile @Nullable TransferIndexCache set;
    private @Nullable RecordApplier state;
    private RecordApplier.Pause pause = () -> {};
    private @Nullable IndexRowsCheck check;
    private QuotaResolver tenants = QuotaResolver.NONE;
    private volatile long lostRecords;
    private boolean rebuiltForPlace;
    /** The log from this segment on is enough beside what H2 has forced; 0 if that is not known. */
    private long forcedUpTo;

    IndexLifecycle(IndexDatabase database, RecordLog log, LocalStoreConfig config, StoreRuntime runtime) {
        this.database = database;
        this.log = log;
        this.config = config;
        this.runtime = runtime;
        this.checks = runtime.disk().serial(Lane.JOURNAL, "hawser-index-check");
        this.guard = new DeletionGuard(runtime, checks);
    }

    /** Sets what is done in the middle of a record that changes very many transfers. */
    void pausing(RecordApplier.Pause value) {
        pause = value;
    }

    /** Charges what is kept, and what comes, to those tenants. */
    void charge(QuotaResolver value) {
        tenants = value;
        set().charge(value);
    }

    /** Opens what is there and applies what the log has beyond it; or begins anew. */
    void open() throws StorageException {
        boolean missing = database.prepare();
        try {
            H2Index opened = openIndex();
            index = opened;
            AppliedPosition sentinel = opened.sentinel(log.id());
            String doubt = doubt(sentinel, log.foundSequence(), log.end(), log.segments());
            if (sentinel != null && doubt.equals(AHEAD)) {
                tellOfLoss(sentinel);
            }
            if (sentinel != null && doubt.isEmpty()) {
                check = opened.rowCheck();
                begin(opened).load(sentinel);
                LOG.atInfo()
                        .addKeyValue("sequence", sentinel.sequence())
                        .addKeyValue("closedCleanly", opened.wasClosedCleanly())
                        .log("Index opened");
                replay(sentinel.next());
                state().pausing(pause);
                return;
            }
            if (!missing || !log.segments().isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("reason", missing ? "there is none" : doubt)
                        .log("The index is made again from the log");
            }
            if (missing) {
                fold(opened);
                return;
            }
        } catch (IndexFailedException e) {
            LOG.atWarn().setCause(e).log("The index is unusable and is made again from the log");
        }
        rebuild();
    }

    private H2Index openIndex() throws StorageException {
        H2Index opened = H2Index.open(database::connect);
        try {
            database.protect();
            return opened;
        } catch (StorageException e) {
            opened.abandon();
            throw e;
        }
    }

    private void tellOfLoss(AppliedPosition sentinel) {
        lostRecords = Math.max(1, sentinel.sequence() - log.foundSequence());
        LOG.atError()
                .addKeyValue("knownSequence", sentinel.sequence())
                .addKeyValue("foundSequence", log.foundSequence())
                .log(
                        "The log has lost its end, which was durable: the index knows records that it has not. Check the disk. Uploads"
                                + " that are under way resume by themselves; what the broker had accepted as a whole does not");
    }

    /**
     * Why a fragment cannot be read of which the index knows no place. If it was durable, a row may be damaged: then the index is made
     * again, once in a run, since it may be the log that has lost the record.
     */
    Refusal unplaced(@Nullable IndexedTransfer state, TransferKey key, long fragment) {
        if (state == null || state.released || !state.expects(fragment)) {
            return new Refusal(ErrorCode.NOT_FOUND, "fragment " + fragment + " of " + key + " is not kept");
        }
        if (state.durable.contains(fragment) && !rebuiltForPlace) {
            rebuiltForPlace = true;
            throw new IndexFailedException("fragment " + fragment + " of " + key + " has no place in the index");
        }
        LOG.atError()
                .addKeyValue("transfer", key)
                .addKeyValue("fragment", fragment)
                .log(
                        "A fragment that is still needed is not in the log; its publisher is asked for it. Check the disk");
        return new Refusal(
                ErrorCode.STORAGE_FAILED, "fragment " + fragment + " of " + key + " is lost from the broker's log");
    }

    /** How many records at the log's end were known and were not there when this was opened. Thread: any. */
    long lostRecords() {
        return lostRecords;
    }

    /**
     * Why the index cannot be used, or an empty string.
     *
     * @param lastSequence the last record that an earlier run has written
     */
    static String doubt(
            @Nullable AppliedPosition sentinel, long lastSequence, LogPosition end, List<SegmentInfo> segments) {
        if (sentinel == null) {
            return "it is not of this log, or not of this format";
        }
        if (sentinel.sequence() > lastSequence || sentinel.next().compareTo(end) > 0) {
            return AHEAD;
        }
        if (!segments.isEmpty()
                && sentinel.next().segment() < segments.get(0).number()
                && sentinel.sequence() + 1 < segments.get(0).firstSequence()) {
            return "it is older than what the log still has";
        }
        return "";
    }

    private TransferIndexCache begin(H2Index opened) {
        BrokerTombstones tombstones = new BrokerTombstones(
                config.forgetting().tombstoneAge().toMillis(),
                config.forgetting().maxTombstones());
        TransferIndexCache fresh = new TransferIndexCache(opened, log.id(), tombstones);
        set = fresh;
        state = new RecordApplier(fresh);
        state.reporting(new RelayEvents(runtime.events()));
        return fresh;
    }

    /** Moves the files aside and folds the whole log again. */
    void rebuild() throws StorageException {
        stopChecks();
        if (index != null) {
            index.abandon();
        }
        database.moveAside();
        fold(openIndex());
    }

    /** Applies the whole log to an empty index. */
    private void fold(H2Index fresh) throws StorageException {
        long startNanos = runtime.nowNanos();
        index = fresh;
        forcedUpTo = 0;
        IndexBuilder fold = new IndexBuilder(fresh, log.id(), config.forgetting());
        fold.set().chargeFromNowOn(tenants);
        set = fold.set();
        state = fold.state();
        state.reporting(new RelayEvents(runtime.events()));
        log.replay(LogPosition.START, fold::apply);
        runtime.events().awaitDurable();
        fold.finish();
        fresh.checkpoint();
        guard.made();
        state().pausing(pause);
        LOG.atInfo()
                .addKeyValue("sequence", set().appliedSequence())
                .addKeyValue("millis", (runtime.nowNanos() - startNanos) / 1_000_000)
                .log("Index made from the log");
    }

    private void replay(LogPosition from) throws StorageException {
        log.replay(from, state()::apply);
        commit();
    }

    /** Writes all changes and commits them, after the events that they caused are durable. */
    void commit() {
        runtime.events().awaitDurable();
        set().flush();
        index().commit();
    }

    /** The same, and forces them. */
    void checkpoint() {
        runtime.events().awaitDurable();
        set().flush();
        index().checkpoint();
        forcedUpTo = set().applied().next().segment();
    }

    /** What was forced last, and the log after {@code segment}, are enough to know everything. */
    boolean isForcedBeyond(long segment) {
        return forcedUpTo > segment;
    }

    void apply(List<LogRecord> records) throws StorageException {
        for (LogRecord record : records) {
            state().apply(record);
        }
    }

    /** Begins to look at the rows of an index that was there, if that is to be done. */
    void startCheck(SnapshotCheck.Verdict verdict, DeletionGuard.Listener listener) {
        guard.listener(listener);
        IndexRowsCheck made = check;
        if (made != null) {
            checks.execute(() -> made.run(runtime, verdict));
        }
    }

    /** Whether it is known that no row is missing of what is owed, and no receipt. */
    boolean isChecked() {
        return check == null;
    }

    /** No row is missing of what is owed, and no receipt. Next come the rows that hold segments. */
    void checked() {
        check = null;
        if (!guard.isKnown()) {
            guard.check(index());
        }
    }

    DeletionGuard guard() {
        return guard;
    }

    private void stopChecks() {
        guard.stop();
        IndexRowsCheck made = check;
        if (made != null) {
            made.stop();
            check = null;
        }
    }

    /** Ends what looks at the rows, whatever becomes of the index. */
    void endChecks() {
        stopChecks();
        checks.close();
    }

    /** Writes the sentinel as of an orderly end, forces and closes. */
    void close() {
        endChecks();
        runtime.events().awaitDurable();
        set().flush();
        index().saveSentinel(log.id(), set().applied(), true);
        index().checkpoint();
        index().close();
    }

    LocalStoreConfig config() {
        return config;
    }

    H2Index index() {
        return required(index);
    }

    /** The index with all changes written to it. */
    H2Index flushed() {
        set().flush();
        return index();
    }

    TransferIndexCache set() {
        return required(set);
    }

    private RecordApplier state() {
        return required(state);
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the index is not open");
        }
        return value;
    }
}
