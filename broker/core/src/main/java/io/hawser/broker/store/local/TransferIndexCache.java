package io.hawser.broker.store.local;

import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.broker.store.TransferSearchPage;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of the state that is in memory: changes that the index does not have yet, and recently used entries. It is bounded; a
 * transfer that ends before it was written never reaches the index.
 *
 * <p>Thread: index only, but for the sums.
 */
final class TransferIndexCache {
    /** How many of those whose bytes are no longer needed are looked at for one question. */
    private static final int MAX_RELEASED = 10_000;

    /** At a heap of 64 MiB; in proportion to the heap. */
    private static final int DIRTY_AT_64_MIB = 2_000;

    private static final int MAX_DIRTY =
            (int) Math.min(16_000, DIRTY_AT_64_MIB * (Runtime.getRuntime().maxMemory() >> 20) / 60);
    private static final int MAX_CACHED = 2 * MAX_DIRTY;
    /** Of fragments that the index has not been told of: a few transfers may have very many. */
    private static final int MAX_NEW_RUNS = 4 * MAX_DIRTY;
    /** A publisher beyond that gets its receipts in its next session. */
    private static final int MAX_TO_BE_TOLD = 16_384;

    private final H2Index index;
    private final String logId;
    private final BrokerTombstones tombstones;
    private final Deliveries deliveries = new Deliveries();
    private final FinishedTransfers finished = new FinishedTransfers();
    private final Map<TransferKey, IndexedTransfer> cache = new LinkedHashMap<>(64, 0.75f, true);
    private final Set<IndexedTransfer> dirty = new LinkedHashSet<>();
    private final Map<String, SubscriptionState> subscriptions = new TreeMap<>();
    private final Set<String> dirtySubscriptions = new LinkedHashSet<>();
    private final Map<TransferKey, List<Extent>> orphans = new LinkedHashMap<>();
    /** Publishers for which a record that is not a receipt made receipts since the relay asked last. */
    private Set<NodeId> receiptsMade = EvictingMap.newSet(MAX_TO_BE_TOLD);

    private final PendingRelocations carries = new PendingRelocations();
    private volatile AppliedPosition applied = AppliedPosition.NOTHING;
    /** Also at the beginning: an index of an empty log names its log, or it would be rebuilt after an early crash. */
    private boolean sentinelDirty = true;
    /** While the whole log is folded: what is written is of no use before all of it is. */
    private boolean filling;

    private int newRuns;

    private volatile long keptBytes;
    private volatile long reservedBytes;
    private volatile TenantUsage sums = new TenantUsage(QuotaResolver.NONE);

    TransferIndexCache(H2Index index, String logId, BrokerTombstones tombstones) {
        this.index = index;
        this.logId = logId;
        this.tombstones = tombstones;
    }

    /** Continues from the index's position. */
    void load(AppliedPosition sentinel) {
        applied = sentinel;
        sentinelDirty = false;
        keptBytes = sentinel.keptBytes();
        reservedBytes = sentinel.reservedBytes();
        index.subscriptions().all().forEach(state -> subscriptions.put(state.spec.name(), state));
        index.tombstones().all().forEach(tombstones::load);
        index.deliveries().all().forEach(deliveries::load);
    }

    /**
     * While an empty index is filled from the whole log, each portion is committed for itself, which spares H2 a change that it can undo of
     * all of it; and nothing says how far it has come. So an index that was not finished is one without a sentinel, and is made again.
     */
    void filling(boolean value) {
        filling = value;
    }

    long appliedSequence() {
        return applied.sequence();
    }

    AppliedPosition applied() {
        return applied;
    }

    void applied(LogRecord record) {
        applied = new AppliedPosition(record.sequence(), RecordApplier.after(record), keptBytes, reservedBytes);
        sentinelDirty = true;
        if (dirty.size() >= MAX_DIRTY
                || orphans.size() >= MAX_DIRTY
                || newRuns >= MAX_NEW_RUNS
                || deliveries.areManyUnwritten()) {
            flush();
            if (filling) {
                index.commit();
            }
        }
    }

    long keptBytes() {
        return keptBytes;
    }

    long reservedBytes() {
        return reservedBytes;
    }

    /** What is kept and promised for each tenant. Thread: any. */
    TenantUsage sums() {
        return sums;
    }

    /** Charges all that comes from now on to those tenants; before anything is folded. */
    void chargeFromNowOn(QuotaResolver tenants) {
        sums = new TenantUsage(tenants);
    }

    void charge(QuotaResolver tenants) {
        TenantUsage fresh = new TenantUsage(tenants);
        if (!tenants.quotas().isEmpty()) {
            flush();
            index.transfers()
                    .forEachUnreleased(
                            state -> fresh.add(state, state.keptBytes, state.reservedBytes(), counted(state)));
        }
        sums = fresh;
    }

    /** Whether anything of that publisher is kept. */
    boolean hasOf(NodeId publisher) {
        flush();
        return index.transfers().hasOf(publisher);
    }

    /** A transfer counts for its tenants as long as its bytes are needed. */
    private static int counted(IndexedTransfer state) {
        return state.released ? 0 : 1;
    }

    PendingRelocations carries() {
        return carries;
    }

    BrokerTombstones tombstones() {
        return tombstones;
    }

    /** What far ends have published. */
    Deliveries deliveries() {
        return deliveries;
    }

    /** The latest that are finished and forgotten. */
    FinishedTransfers finished() {
        return finished;
    }

    @Nullable
    IndexedTransfer find(TransferKey key) {
        IndexedTransfer state = cache.get(key);
        if (state == null) {
            state = index.transfers().load(key);
            if (state != null) {
                cache.put(key, state);
                shrink();
            }
        }
        return state == null || state.removed ? null : state;
    }

    /** Whether nothing is left of it, and its rows are still there. */
    boolean isBeingRemoved(TransferKey key) {
        IndexedTransfer state = cache.get(key);
        return state != null && state.removed;
    }

    void add(IndexedTransfer state) {
        IndexedTransfer before = cache.put(state.key(), state);
        if (before != null && before.removed) { // its row is still there
            index.transfers().save(before);
            dirty.remove(before);
        }
        addReserved(state.reservedBytes());
        sums.add(state, 0, state.reservedBytes(), counted(state));
        dirty(state);
    }

    void dirty(IndexedTransfer state) {
        dirty.add(state);
    }

    /** A record that is not a receipt made one for that publisher. */
    void receiptMade(NodeId publisher) {
        receiptsMade.add(publisher);
    }

    /** The publishers of such receipts since this was called last. */
    Set<NodeId> takeReceiptsMade() {
        Set<NodeId> taken = receiptsMade;
        receiptsMade = EvictingMap.newSet(MAX_TO_BE_TOLD);
        return taken;
    }

    void forget(IndexedTransfer state) {
        addReserved(-state.reservedBytes());
        addKept(-state.keptBytes);
        sums.add(state, -state.keptBytes, -state.reservedBytes(), -counted(state));
        state.keptBytes = 0;
        newRuns -= state.newRuns.size();
        state.newRuns.clear();
        state.removed = true;
        if (state.stored) {
            dirty.add(state);
        } else {
            dirty.remove(state);
            cache.remove(state.key());
        }
    }

    /** More of its payload is in the log, or less if {@code bytes} is negative. */
    void kept(IndexedTransfer state, long bytes) {
        reserve(state, () -> state.keptBytes += bytes);
        addKept(bytes);
        sums.add(state, bytes, 0, 0);
    }

    /** The state came with payload that is in the log already. */
    void keptAlready(IndexedTransfer state) {
        addKept(state.keptBytes);
        sums.add(state, state.keptBytes, 0, 0);
    }

    /** Makes a change that may change what is promised to the transfer. */
    void reserve(IndexedTransfer state, Runnable change) {
        long before = state.reservedBytes();
        change.run();
        addReserved(state.reservedBytes() - before);
        sums.add(state, 0, state.reservedBytes() - before, 0);
    }

    /** The payload is no longer needed. */
    void release(IndexedTransfer state) {
        addKept(-state.keptBytes);
        sums.add(state, -state.keptBytes, 0, -1);
        state.keptBytes = 0;
        newRuns -= state.newRuns.size();
        state.newRuns.clear();
        dirty(state);
    }

    // Written by the index thread alone; read by any.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void addKept(long bytes) {
        keptBytes += bytes;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void addReserved(long bytes) {
        reservedBytes += bytes;
    }

    void addRun(IndexedTransfer state, Extent run) {
        addRun(state.newRuns, run);
    }

    private void addRun(List<Extent> runs, Extent run) {
        int last = runs.size() - 1;
        if (last >= 0 && runs.get(last).continuedBy(run.start(), run.first(), run.strideBytes())) {
            runs.set(last, runs.get(last).longer());
        } else {
            runs.add(run);
            newRuns++;
        }
    }

    void addOrphan(TransferKey key, Extent run) {
        addRun(orphans.computeIfAbsent(key, k -> new ArrayList<>()), run);
    }

    /** Fragments of a transfer whose state does not come later. */
    void dropOrphans(TransferKey key) {
        orphans.remove(key);
        index.runs().deleteAll(key); // some may have been written already
    }

    void adoptOrphans(IndexedTransfer state) {
        List<Extent> runs = orphans.remove(state.key());
        if (runs != null) {
            state.newRuns.addAll(runs);
        }
        state.storedRuns = true; // some may have been written already
    }

    /** Where a fragment was written last, or null if it is not in the log any more. */
    @Nullable
    LogPosition locate(IndexedTransfer state, long fragment) {
        for (int i = state.newRuns.size() - 1; i >= 0; i--) {
            Extent run = state.newRuns.get(i);
            if (run.contains(fragment)) {
                return run.positionOf(fragment);
            }
        }
        return state.released ? null : index.runs().locate(state.key(), fragment);
    }

    @Nullable
    SubscriptionState subscription(String name) {
        return subscriptions.get(name);
    }

    Collection<SubscriptionState> subscriptions() {
        return subscriptions.values();
    }

    void add(SubscriptionState state) {
        subscriptions.put(state.spec.name(), state);
        dirty(state);
    }

    void remove(SubscriptionState state) {
        subscriptions.remove(state.spec.name());
        dirtySubscriptions.add(state.spec.name());
    }

    void dirty(SubscriptionState state) {
        dirtySubscriptions.add(state.spec.name());
    }

    /** A subscription appeared after transfers that are owed to it: counts them. */
    void countOwed(String name) {
        SubscriptionState subscriber = subscriptions.get(name);
        long after = 0;
        List<IndexedTransfer> page = storedOwed(name, after, MAX_DIRTY);
        while (subscriber != null && !page.isEmpty()) {
            for (IndexedTransfer state : page) {
                after = state.commitSequence;
                subscriber.owedTransfers++;
                long bytes = state.commit == null ? 0 : state.commit.sizeBytes();
                subscriber.owedBytes += bytes;
                if (state.onlyOwedTo() != null) {
                    subscriber.heldTransfers++;
                    subscriber.heldBytes += bytes;
                }
                subscriber.lastOwedSequence = after;
            }
            page = storedOwed(name, after, MAX_DIRTY);
        }
        dirtySubscriptions.add(name); // its row was written before it was counted
    }

    /**
     * Committed transfers that a subscription is owed, after a commit sequence. Nothing is written for it: a consumer that is a little
     * lags asks again and again, and most of what it gets is finished before it would have to be written.
     */
    List<IndexedTransfer> owed(String subscription, long afterSequence, int limit) {
        SubscriptionState subscriber = subscriptions.get(subscription);
        if (subscriber != null && (subscriber.owedTransfers == 0 || subscriber.lastOwedSequence <= afterSequence)) {
            return List.of();
        }
        List<IndexedTransfer> found = writtenOwed(subscription, afterSequence, limit);
        for (IndexedTransfer state : dirty) {
            if (!state.removed
                    && state.commitSequence > afterSequence
                    && state.owed.contains(subscription)
                    && !state.storedOwed.contains(subscription)) {
                found.add(state);
            }
        }
        found.sort(Comparator.comparingLong(state -> state.commitSequence));
        return found.size() <= limit ? found : found.subList(0, limit);
    }

    /**
     * Committed transfers without a subscription, of which nothing has changed since a time. Nothing is written for it: it is asked every
     * few seconds, and nearly all that has changed since is soon finished.
     */
    Set<TransferKey> unclaimedSince(long epochMillis, boolean onlyReplies, int limit) {
        Set<TransferKey> found =
                new LinkedHashSet<>(index.transfers().unclaimedSince(epochMillis, onlyReplies, limit + dirty.size()));
        dirty.forEach(state -> found.remove(state.manifest.key()));
        for (IndexedTransfer state : dirty) {
            if (found.size() < limit
                    && !state.removed
                    && state.unclaimed()
                    && state.changedMillis < epochMillis
                    && (!onlyReplies || state.manifest.topic().isOfReplies())) {
                found.add(state.manifest.key());
            }
        }
        return found.stream().limit(limit).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Those that all consumers have, and of which that subscription's has not said how they ended. */
    List<TransferKey> awaitingWord(String subscription, int limit) {
        Set<IndexedTransfer> released =
                new LinkedHashSet<>(states(index.transfers().released(MAX_RELEASED)));
        released.addAll(dirty);
        return released.stream()
                .filter(state -> state.awaitsWordOf(subscription))
                .map(IndexedTransfer::key)
                .limit(limit)
                .toList();
    }

    /** The latest transfers, the newest first. Nothing is written for it: people's pages ask again and again. */
    List<IndexedTransfer> latest(int limit) {
        List<IndexedTransfer> found = states(index.transfers().latest(limit));
        dirty.stream().filter(state -> !state.removed && !state.stored).forEach(found::add);
        found.sort(Comparator.comparingLong((IndexedTransfer state) -> state.openedMillis)
                .reversed());
        return found.size() <= limit ? found : found.subList(0, limit);
    }

    /**
     * A page of a search among all that are kept and the latest finished ones. What is only in memory is on the first page; what is finished
     * on the last one too. Nothing is written for it.
     */
    TransferSearchPage search(Predicate<Manifest> wanted, TransferSearchPage.Start start, int rows) {
        List<StoredTransferStatus> found = new ArrayList<>();
        List<StoredTransferStatus> ended = List.of();
        int searched = 0;
        if (start.equals(TransferSearchPage.Start.NEWEST)) {
            for (IndexedTransfer state : dirty) {
                if (!state.removed && !state.stored) {
                    searched++;
                    if (wanted.test(state.manifest)) {
                        found.add(state.toStatus());
                    }
                }
            }
            searched += finished.count();
            ended = finished(wanted);
        }
        List<TransferTable.SearchedRow> page =
                index.transfers().search(wanted, start.openedEpochMillis(), start.skip(), rows);
        states(page.stream()
                        .filter(TransferTable.SearchedRow::wanted)
                        .map(TransferTable.SearchedRow::key)
                        .toList())
                .forEach(state -> found.add(state.toStatus()));
        searched += page.size();
        if (page.size() >= rows) {
            return new TransferSearchPage(found, ended, searched, after(page, start));
        }
        // Once more: some may have been finished since the first page.
        return new TransferSearchPage(found, finished(wanted), searched, null);
    }

    private List<StoredTransferStatus> finished(Predicate<Manifest> wanted) {
        return finished.latest(Integer.MAX_VALUE).stream()
                .filter(status -> wanted.test(status.transfer().manifest()))
                .toList();
    }

    private static TransferSearchPage.Start after(
            List<TransferTable.SearchedRow> page, TransferSearchPage.Start start) {
        long last = page.get(page.size() - 1).openedMillis();
        long ofThatMoment =
                page.stream().filter(row -> row.openedMillis() == last).count();
        return new TransferSearchPage.Start(
                last, last == start.openedEpochMillis() ? start.skip() + ofThatMoment : ofThatMoment);
    }

    /** Those of which the index has been told: so many, or all that there are, without those that are owed no longer. */
    private List<IndexedTransfer> writtenOwed(String subscription, long afterSequence, int limit) {
        List<IndexedTransfer> found = new ArrayList<>();
        long after = afterSequence;
        while (true) {
            List<TransferKey> keys = index.transfers().owed(subscription, after, limit - found.size());
            for (TransferKey key : keys) {
                find(key);
                IndexedTransfer state = cache.get(key);
                boolean isOwed = state != null && !state.removed && state.owed.contains(subscription);
                if (state == null || !state.storedOwed.contains(subscription) || !(isOwed || dirty.contains(state))) {
                    throw notAsInTransfers();
                }
                after = state.commitSequence;
                if (isOwed) {
                    found.add(state);
                }
            }
            if (keys.isEmpty() || found.size() >= limit) {
                return found;
            }
        }
    }

    private static IndexFailedException notAsInTransfers() {
        return new IndexFailedException("table owed does not agree with table transfer");
    }

    private List<IndexedTransfer> storedOwed(String subscription, long afterSequence, int limit) {
        flush();
        List<TransferKey> keys = index.transfers().owed(subscription, afterSequence, limit);
        List<IndexedTransfer> found = states(keys);
        if (found.size() != keys.size() || !found.stream().allMatch(state -> state.owed.contains(subscription))) {
            throw notAsInTransfers();
        }
        return found;
    }

    List<IndexedTransfer> ofTopic(Topic topic, int column, long afterSequence, int limit) {
        flush();
        return states(index.transfers().ofTopic(topic, column, afterSequence, limit));
    }

    List<IndexedTransfer> states(List<TransferKey> keys) {
        List<IndexedTransfer> states = new ArrayList<>(keys.size());
        for (TransferKey key : keys) {
            IndexedTransfer state = find(key);
            if (state != null) {
                states.add(state);
            }
        }
        return states;
    }

    boolean isDirty() {
        return sentinelDirty || !dirty.isEmpty();
    }

    /** Whether no more transfers than that wait to be written. */
    boolean isNearlyWritten(int few) {
        return dirty.size() <= few;
    }

    /**
     * Writes the changes of those transfers alone that speak of {@code segment} of a log on this machine, or of an older one. What is written
     * so must not be committed before {@link #flush}, since the rows would not be those of one moment.
     */
    void flushThoseIn(long segment) {
        for (Iterator<IndexedTransfer> each = dirty.iterator(); each.hasNext(); ) {
            IndexedTransfer state = each.next();
            if (state.speaksOf(segment)) {
                newRuns -= state.newRuns.size();
                save(state);
                each.remove();
            }
        }
    }

    /** The same of what far ends have published. */
    void flushDeliveries() {
        deliveries.flush(index.deliveries());
    }

    private void save(IndexedTransfer state) {
        index.transfers().save(state);
        if (state.removed) {
            cache.remove(state.key(), state);
        }
    }

    /** Writes all changes to the index, without committing them: questions on the same connection see them. */
    void flush() {
        dirty.forEach(this::save);
        dirty.clear();
        orphans.forEach(index.runs()::save);
        orphans.clear();
        for (String name : dirtySubscriptions) {
            SubscriptionState state = subscriptions.get(name);
            if (state == null) {
                index.subscriptions().delete(name);
            } else {
                index.subscriptions().save(state);
            }
        }
        dirtySubscriptions.clear();
        tombstones.takeDropped().forEach(index.tombstones()::delete);
        tombstones.takeDirty().forEach(index.tombstones()::save);
        deliveries.flush(index.deliveries());
        newRuns = 0;
        if (sentinelDirty && !filling) {
            index.saveSentinel(logId, applied, false);
            sentinelDirty = false;
        }
        shrink();
    }

    private void shrink() {
        Iterator<IndexedTransfer> longestUnused = cache.values().iterator();
        while (cache.size() > MAX_CACHED && longestUnused.hasNext()) {
            if (!dirty.contains(longestUnused.next())) {
                longestUnused.remove();
            }
        }
    }
}
