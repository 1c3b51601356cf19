package io.hawser.broker.store.local;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.QuotaUse;
import io.hawser.broker.store.Replica;
import io.hawser.broker.store.StoreUsage;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.broker.store.TransferSearchPage;
import io.hawser.broker.store.local.IndexProxy.Care;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.RecordLog;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A store that consists of a log and an index over it: its state is the fold of the log's records. Subclasses decide where the log
 * is.
 *
 * <p>An append is refused with {@code STORAGE_FAILED} when the log has died; from then on all are, and the listener that the
 * store was opened with has been told.
 *
 * <p>Thread: the relay's loop; every callback is posted to it.
 */
public abstract class LogStore implements BrokerStore {
    static final String INDEX = "index";
    private static final int MAX_LOAD_ATTEMPTS = 4;

    private final Storage storage;
    private final Path directory;
    private final LocalStoreConfig config;
    private final StoreRuntime runtime;
    private final Executor loop;
    private final RecordLog log;
    private final IndexThread indexThread;
    private final IndexProxy questions;
    private final IndexLifecycle index;
    private final FragmentLoader loader;
    private final RecordRelocator carrier;
    private final SegmentCleaner cleaner;
    /** Names of subscriptions, those whose records are under way included. */
    private final Set<String> subscriptionNames = new HashSet<>();

    private final SpaceAdmission admission;

    protected LogStore(
            Storage storage,
            Path directory,
            LocalStoreConfig config,
            StoreRuntime runtime,
            IndexDatabase database,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal,
            LogOpener opener)
            throws StorageException {
        this.storage = storage;
        this.directory = directory;
        this.config = config;
        this.runtime = runtime;
        this.loop = loop;
        this.indexThread = new IndexThread(runtime, fatal);
        this.questions = new IndexProxy(indexThread, loop);
        this.log = opener.open(indexThread);
        beginEvents();
        this.loader = new FragmentLoader(log, pool, runtime.disk());
        this.carrier = new RecordRelocator(log, indexThread, loop);
        this.cleaner = new SegmentCleaner(log, loader, carrier, config, runtime);
        this.index = new IndexLifecycle(database, log, config, runtime);
        this.admission = new SpaceAdmission(config.space(), new LiveFigures());
    }

    private void beginEvents() throws StorageException {
        try {
            runtime.events().begin(log.id(), RelayEvents.cause(log.end()));
        } catch (StorageException | RuntimeException e) {
            log.close();
            throw e;
        }
    }

    /** The index's database in a node's data directory. */
    protected static IndexDatabase indexIn(Storage storage, Path directory) {
        return new IndexFiles(storage, directory.resolve(INDEX));
    }

    @FunctionalInterface
    protected interface LogOpener {
        /**
         * Opens it.
         *
         * @param observer sees every record that becomes durable
         */
        RecordLog open(LogObserver observer) throws StorageException;
    }

    /** Blocks until it can answer every question; closes what is open if it never will. Before anything else is called. */
    protected final void start() throws StorageException {
        try {
            subscriptionNames.addAll(indexThread.start(index, cleaner));
        } catch (StorageException e) {
            closeParts();
            throw e;
        }
    }

    @Override
    public void append(RelayRecord record, Outcome.Callback<Long> durable) {
        boolean fresh = record instanceof RelayRecord.Subscribed subscribed
                && subscriptionNames.add(subscribed.spec().name());
        if (record instanceof RelayRecord.Unsubscribed unsubscribed) {
            subscriptionNames.remove(unsubscribed.subscription());
        }
        RecordCodec.Encoded encoded = RecordCodec.encode(record, fresh, runtime.nowMillis());
        if (encoded.body().length > SegmentLog.maxBodyBytes()) {
            loop.execute(() -> durable.accept(Outcome.refused(ErrorCode.TOO_LARGE, "a record of more than 1 MiB")));
            return;
        }
        LongConsumer onDurable = sequence -> {
            if (record instanceof RelayRecord.Opened opened) {
                admission.onOpened(opened.manifest().key(), sequence);
            } else if (record instanceof RelayRecord.Cancelled cancelled) {
                admission.forget(cancelled.key());
            } else if (record instanceof RelayRecord.Forgotten forgotten) {
                admission.forget(forgotten.key());
            }
        };
        log.append(encoded.kind(), encoded.key(), 0, encoded.body(), posting(encoded.key(), onDurable, durable));
    }

    @Override
    public void appendFragment(Fragment fragment, Outcome.Callback<Long> durable) {
        SpaceAdmission.Pending pending = admission.onFragment(fragment.key(), fragment.length(), runtime.nowNanos());
        log.append(
                RecordKind.FRAGMENT,
                fragment,
                RecordCodec.fragment(runtime.nowMillis()),
                posting(fragment.key(), sequence -> admission.onFragmentDurable(pending, sequence), durable));
    }

    @Override
    public void appendSmall(
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            List<String> deliverySet,
            Outcome.Callback<Long> durable) {
        byte[] body = RecordCodec.small(runtime.nowMillis(), manifest, commit, deliverySet);
        if (body.length > SegmentLog.maxFragmentBodyBytes()
                && body.length + fragment.length() > SegmentLog.maxBodyBytes() / 2) {
            loop.execute(() -> durable.accept(
                    Outcome.refused(ErrorCode.TOO_LARGE, "a small transfer with a description of " + body.length)));
            return;
        }
        log.append(
                RecordKind.SMALL,
                fragment,
                body,
                posting(manifest.key(), sequence -> admission.onOpened(manifest.key(), sequence), durable));
    }

    private AppendCallback posting(@Nullable TransferKey key, LongConsumer onDurable, Outcome.Callback<Long> done) {
        carrier.onAppend(key);
        return AppendCallback.of(
                (sequence, position) -> loop.execute(() -> {
                    carrier.onAppended(key);
                    onDurable.accept(sequence);
                    done.accept(Outcome.of(sequence));
                }),
                cause -> loop.execute(() -> done.accept(Outcome.refused(
                        ErrorCode.STORAGE_FAILED, "the broker's log cannot be written: " + cause.getMessage()))));
    }

    @Override
    public void read(TransferKey key, long fragment, Outcome.Callback<Fragment> done) {
        readAttempt(key, fragment, Care.ONLY_LOOKS, MAX_LOAD_ATTEMPTS, done);
    }

    /**
     * A fragment may be moved to another segment between the two steps: then it is looked up again. So is one that is not found in the
     * middle of a long change, since its record may still come.
     */
    private void readAttempt(TransferKey key, long fragment, Care care, int attempts, Outcome.Callback<Fragment> done) {
        questions.<Fragment>ask(done, care, (store, answer) -> {
            IndexedTransfer state = store.set().find(key);
            LogPosition position = state == null ? null : store.set().locate(state, fragment);
            if (care == Care.ONLY_LOOKS && position == null) {
                readAttempt(key, fragment, Care.NONE, attempts, done);
                return;
            }
            if (state == null || position == null) {
                answer.accept(Outcome.refused(store.unplaced(state, key, fragment)));
                return;
            }
            loader.load(key, fragment, position, state.expectedLength(fragment), outcome -> {
                Refusal refusal = outcome.refusal();
                if (refusal != null && refusal.code() == ErrorCode.NOT_FOUND && attempts > 1) {
                    readAttempt(key, fragment, care, attempts - 1, done);
                } else if (refusal != null && refusal.code() == ErrorCode.NOT_FOUND) {
                    answer.accept(Outcome.refused(
                            ErrorCode.STORAGE_FAILED,
                            loader.missing(key, fragment, position, state.expectedLength(fragment))));
                } else {
                    answer.accept(outcome);
                }
            });
        });
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor) {
        return admission.admit(manifest, isWaitedFor, runtime.nowNanos());
    }

    @Override
    public SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length) {
        return admission.admitFragment(manifest, heldBytes, length, runtime.nowNanos());
    }

    @Override
    public boolean fitsAlone(Manifest manifest) {
        return admission.fitsAlone(manifest, runtime.nowNanos());
    }

    @Override
    public Set<String> quotas(Manifest manifest) {
        return admission.quotas(manifest);
    }

    @Override
    public void charge(QuotaResolver tenants) {
        indexThread.ask(store -> store.charge(tenants)); // after the store is closed the next run counts it again
    }

    @Override
    public void chargeAgain(NodeId publisher) {
        if (index.set().sums().tenants().quotas().isEmpty()) {
            return;
        }
        indexThread.ask(store -> {
            if (store.set().hasOf(publisher)) {
                store.charge(store.set().sums().tenants().again());
            }
        });
    }

    @Override
    public List<QuotaUse> quotaUses() {
        return index.set().sums().uses();
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<Lookup> done) {
        questions.ask(done, store -> {
            IndexedTransfer state = store.set().find(key);
            if (state != null) {
                StoredTransfer.State reached =
                        state.committed() ? StoredTransfer.State.COMMITTED : StoredTransfer.State.OPEN;
                return new Lookup(reached, state.toKept());
            }
            boolean gone = store.set().tombstones().contains(key);
            return new Lookup(gone ? StoredTransfer.State.GONE : StoredTransfer.State.ABSENT, null);
        });
    }

    @Override
    public void owed(String subscription, long afterSequence, int limit, Outcome.Callback<List<KeptTransfer>> done) {
        questions.ask(done, Care.NEEDS_ALL_ROWS, store -> store.set().owed(subscription, afterSequence, limit).stream()
                .map(IndexedTransfer::toKept)
                .toList());
    }

    @Override
    public void overdue(
            String subscription, long committedBeforeMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        questions.ask(done, Care.NEEDS_ALL_ROWS, store -> store.set().owed(subscription, 0, limit).stream()
                .filter(state -> state.committedMillis < committedBeforeMillis && state.recall == null)
                .map(IndexedTransfer::key)
                .toList());
    }

    @Override
    public void receipts(NodeId publisher, long afterSequence, int limit, Outcome.Callback<List<KeptReceipt>> done) {
        questions.ask(done, Care.NEEDS_ALL_ROWS, store -> {
            store.set().flush();
            List<KeptReceipt> receipts = new ArrayList<>();
            for (TransferTable.ReceiptRow row : store.index().transfers().receipts(publisher, afterSequence, limit)) {
                IndexedTransfer state = store.set().find(row.key());
                // Receipts of several removals share a number.
                List<KeptReceipt> kept = (state == null ? List.<KeptReceipt>of() : state.receipts.values())
                        .stream()
                                .filter(receipt -> receipt.sequence() == row.sequence())
                                .toList();
                if (kept.isEmpty()) {
                    throw new IndexFailedException("table receipt does not agree with table transfer");
                }
                receipts.addAll(kept);
            }
            return receipts;
        });
    }

    @Override
    public void receiptsMade(Outcome.Callback<Set<NodeId>> done) {
        questions.ask(done, store -> store.set().takeReceiptsMade());
    }

    @Override
    public void openSince(long epochMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        questions.ask(done, store -> store.flushed().transfers().openSince(epochMillis, limit));
    }

    @Override
    public void openWithUnknownSize(String space, int limit, Outcome.Callback<List<TransferKey>> done) {
        questions.ask(done, store -> {
            QuotaResolver tenants = store.set().sums().tenants();
            return store.flushed()
                    .transfers()
                    .growing(
                            (publisher, topic) ->
                                    space.equals(SpaceAnswer.NODE) || tenants.charges(space, publisher, topic),
                            limit);
        });
    }

    @Override
    public void awaitingWord(String subscription, int limit, Outcome.Callback<List<TransferKey>> done) {
        questions.ask(done, Care.ONLY_LOOKS, store -> store.set().awaitingWord(subscription, limit));
    }

    @Override
    public void unclaimedSince(
            long epochMillis, boolean onlyReplies, int limit, Outcome.Callback<List<TransferKey>> done) {
        questions.ask(done, store -> List.copyOf(store.set().unclaimedSince(epochMillis, onlyReplies, limit)));
    }

    @Override
    public void subscriptions(Outcome.Callback<List<SubscriptionSpec>> done) {
        questions.ask(done, store -> store.set().subscriptions().stream()
                .map(state -> state.spec)
                .toList());
    }

    @Override
    public void subscriptionStatus(Outcome.Callback<List<SubscriptionStatus>> done) {
        Outcome.Callback<List<SubscriptionStatus>> withoutRemoved =
                outcome -> done.accept(outcome.map(all -> all.stream()
                        .filter(each -> subscriptionNames.contains(each.spec().name()))
                        .toList()));
        questions.ask(withoutRemoved, Care.ONLY_LOOKS, store -> store.set().subscriptions().stream()
                .map(state -> state.toStatus(oldestOwed(store.set(), state)))
                .toList());
    }

    @Override
    public void replicas(String name, Outcome.Callback<List<Replica>> done) {
        questions.ask(
                done,
                Care.ONLY_LOOKS,
                store -> ReplicaSearch.of(name, store.flushed().deliveries()::each));
    }

    private static @Nullable IndexedTransfer oldestOwed(TransferIndexCache set, SubscriptionState state) {
        List<IndexedTransfer> oldest = set.owed(state.spec.name(), 0, 1);
        return oldest.isEmpty() ? null : oldest.get(0);
    }

    @Override
    public void transfers(int limit, Outcome.Callback<List<StoredTransferStatus>> done) {
        questions.ask(done, Care.ONLY_LOOKS, store -> {
            List<StoredTransferStatus> found = new ArrayList<>();
            store.set().latest(limit).forEach(state -> found.add(state.toStatus()));
            found.addAll(store.set().finished().latest(limit - found.size()));
            return found;
        });
    }

    @Override
    public void search(
            Predicate<Manifest> wanted,
            TransferSearchPage.Start start,
            int rows,
            Outcome.Callback<TransferSearchPage> done) {
        questions.ask(done, Care.ONLY_LOOKS, store -> store.set().search(wanted, start, rows));
    }

    @Override
    public void transfer(TransferKey key, Outcome.Callback<StoredTransferStatus> done) {
        questions.ask(done, Care.ONLY_LOOKS, (store, answer) -> {
            IndexedTransfer state = store.set().find(key);
            answer.accept(
                    state != null
                            ? Outcome.of(state.toStatus())
                            : store.set()
                                    .finished()
                                    .find(status ->
                                            status.transfer().manifest().key().equals(key))
                                    .map(Outcome::of)
                                    .orElseGet(() -> Outcome.refused(
                                            ErrorCode.NOT_FOUND, "nothing is kept of transfer " + key)));
        });
    }

    @Override
    public DiskExecutor disk() {
        return runtime.disk();
    }

    @Override
    public StoreUsage sizes() {
        long free;
        try {
            free = freeBytes();
        } catch (StorageException e) {
            free = 0;
        }
        return new StoreUsage(
                index.set().keptBytes(),
                index.set().reservedBytes(),
                config.space().quotaBytes(),
                free,
                config.space().headRoomBytes(),
                log.sizeBytes(),
                log.segments().size(),
                log.damages().all().size(),
                index.lostRecords());
    }

    /** What the place where the log is kept would still take. */
    protected long freeBytes() throws StorageException {
        return storage.usableSpaceBytes(directory) + log.spareBytes();
    }

    /** What that place would take if nothing of this store were there. */
    protected long capacityBytes() throws StorageException {
        return storage.usableSpaceBytes(directory) + log.sizeBytes();
    }

    /** What that place can hold at most, also outside this store. */
    protected long totalBytes() throws StorageException {
        return storage.totalSpaceBytes(directory);
    }

    @Override
    public void close() {
        closeParts();
    }

    private void closeParts() {
        log.close();
        indexThread.close();
        runtime.events().end();
        runtime.disk().close();
    }

    private final class LiveFigures implements SpaceAdmission.Figures {
        @Override
        public SpaceAdmission.Counted counted() {
            long applied = index.set().appliedSequence(); // before the sums
            return new SpaceAdmission.Counted(
                    applied, index.set().keptBytes(), index.set().reservedBytes());
        }

        @Override
        public TenantUsage tenants() {
            return index.set().sums();
        }

        @Override
        public SpaceAdmission.Disk disk() throws StorageException {
            return new SpaceAdmission.Disk(freeBytes(), capacityBytes(), totalBytes());
        }

        @Override
        public void pressed() {
            cleaner.press();
        }
    }
}
