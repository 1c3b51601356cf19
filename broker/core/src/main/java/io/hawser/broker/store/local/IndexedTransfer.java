package io.hawser.broker.store.local;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.broker.relay.Steering;
import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.StoredTransferStatus;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of one transfer; the places of its fragments are in the index, and here only until they are written there.
 *
 * <p>Thread: index only.
 */
final class IndexedTransfer {
    final Manifest manifest;
    long openedMillis;
    long changedMillis;
    /** The oldest segment with a record that is needed for this state; fragments count by themselves. */
    long firstSegment;
    /** Payload bytes in the log that are kept for it. */
    long keptBytes;

    FragmentRanges durable = new FragmentRanges();

    @Nullable
    Commit commit;

    long commitSequence;
    /** When it was committed, by the clock of the record's writer. */
    long committedMillis;

    Set<String> deliverySet = new LinkedHashSet<>();
    final Set<String> owed = new LinkedHashSet<>();
    /** By subscription of those that are owed: to which member of its group it is permitted. */
    final Map<String, NodeId> permits = new TreeMap<>();

    final Map<String, KeptReceipt> receipts = new TreeMap<>();
    final Set<String> acknowledged = new TreeSet<>();
    /** Final receipts that tell of a failure and that the publisher has, as far as this run of the broker knows: for people. */
    final Map<String, Receipt> acknowledgedFailures = new TreeMap<>();
    /** Why it is cancelled; null if it is not. */
    @Nullable
    String recall;

    boolean held;
    int priority = HopSender.USUAL_PRIORITY;
    /** Its bytes are no longer needed. */
    boolean released;

    /** Nothing is left of it; its row, if it has one, is to be deleted. */
    boolean removed;
    /** What the index holds: whether there is a row, and the keys of the rows beside it. */
    boolean stored;

    final Set<String> storedOwed = new LinkedHashSet<>();
    final Set<Long> storedReceipts = new LinkedHashSet<>();
    boolean storedRuns;
    /** The oldest segment that the row speaks of. */
    long storedSegment;
    /** Fragments that the index has not been told of. */
    final List<Extent> newRuns = new ArrayList<>();

    private QuotaResolver chargedBy = QuotaResolver.NONE;
    private int[] charged = {};

    IndexedTransfer(Manifest manifest, long firstSegment) {
        this.manifest = manifest;
        this.firstSegment = firstSegment;
    }

    TransferKey key() {
        return manifest.key();
    }

    /** The places of the quotas that it is charged to. */
    int[] chargedTo(QuotaResolver tenants) {
        if (chargedBy != tenants) {
            chargedBy = tenants;
            charged = tenants.of(key().publisher(), manifest.topic());
        }
        return charged;
    }

    boolean committed() {
        return commit != null;
    }

    /** Committed, and no subscription has come for it yet. */
    boolean unclaimed() {
        return commit != null && deliverySet.isEmpty();
    }

    /** Nothing more will ever happen to it. A receipt that is not final, of one that joined later, holds nothing. */
    boolean finished() {
        return commit != null
                && !deliverySet.isEmpty()
                && owed.isEmpty()
                && acknowledged.containsAll(deliverySet)
                && receipts.values().stream()
                        .noneMatch(kept -> kept.receipt().status().isFinal());
    }

    /** Whether it, or its row, speaks of {@code segment} of a log on this machine, or of an older one. */
    boolean speaksOf(long segment) {
        return firstSegment <= segment
                || (stored && storedSegment <= segment)
                || newRuns.stream().anyMatch(run -> run.first().segment() <= segment);
    }

    /** The subscription that its bytes are kept for, if that is one alone. */
    @Nullable
    String onlyOwedTo() {
        return owed.size() == 1 && recall == null ? owed.iterator().next() : null;
    }

    boolean hasFinalWordOf(String subscription) {
        KeptReceipt kept = receipts.get(subscription);
        return acknowledged.contains(subscription)
                || (kept != null && kept.receipt().status().isFinal());
    }

    /** Whether all consumers have it, and that of {@code subscription} has not said how it ended. */
    boolean awaitsWordOf(String subscription) {
        return !removed
                && commit != null
                && owed.isEmpty()
                && deliverySet.contains(subscription)
                && !hasFinalWordOf(subscription);
    }

    /** What is promised to it and not written yet. */
    long reservedBytes() {
        return commit == null && manifest.sizeKnown() ? Math.max(0, manifest.sizeBytes() - keptBytes) : 0;
    }

    /** Whether that fragment should be here, as far as it is known. */
    boolean expects(long index) {
        return durable.contains(index) || (commit != null && index < commit.fragmentCount());
    }

    /** The payload length of a fragment, as far as it is known. */
    int expectedLength(long index) {
        long size = commit != null ? commit.sizeBytes() : manifest.sizeBytes();
        return size < 0
                ? manifest.fragmentSizeBytes()
                : Math.max(0, Manifest.fragmentLength(index, size, manifest.fragmentSizeBytes()));
    }

    /** These durable fragments are lost. Returns how many of its kept bytes they were, as far as that is known. */
    long forget(FragmentRanges lost) {
        long bytes = 0;
        for (FragmentRange run : lost.runs()) {
            for (long index = run.start(); index < run.end(); index++) {
                bytes += expectedLength(index);
            }
            durable.remove(run.start(), run.end());
        }
        return Math.min(bytes, keptBytes);
    }

    /** Those of its durable fragments that are not among {@code others}. */
    FragmentRanges durableBeyond(FragmentRanges others) {
        FragmentRanges beyond = durable.copy();
        others.runs().forEach(run -> beyond.remove(run.start(), run.end()));
        return beyond;
    }

    KeptTransfer toKept() {
        return new KeptTransfer(
                manifest,
                durable.copy(),
                commit,
                commitSequence,
                inOrder(deliverySet),
                inOrder(owed),
                Map.copyOf(permits),
                new Steering(recall, held, priority));
    }

    /** A copy that keeps the order. {@link Set#copyOf} has another one in each process, and no schedule of a simulator could be run again. */
    private static Set<String> inOrder(Set<String> names) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    StoredTransferStatus toStatus() {
        Map<String, Receipt> last = new HashMap<>(acknowledgedFailures);
        receipts.forEach((subscription, kept) -> last.put(subscription, kept.receipt()));
        return new StoredTransferStatus(
                toKept(), keptBytes, openedMillis, changedMillis, Map.copyOf(last), Set.copyOf(acknowledged));
    }

    /** The body of a record, and of a row, that holds all of it. */
    byte[] toBytes() {
        FieldWriter out = RecordCodec.body();
        RecordCodec.write(out, manifest)
                .i64(openedMillis)
                .i64(changedMillis)
                .i64(keptBytes)
                .ranges(durable)
                .flag(released)
                .flag(commit != null);
        if (commit != null) {
            out.commit(commit).i64(commitSequence).i64(committedMillis);
        }
        out.strings(deliverySet).strings(owed).strings(acknowledged).count(receipts.size());
        receipts.values().forEach(kept -> RecordCodec.write(out, kept.receipt()).i64(kept.sequence()));
        out.count(permits.size());
        permits.forEach((subscription, member) -> out.string(subscription).node(member));
        if (recall != null || held || priority != HopSender.USUAL_PRIORITY) {
            out.string(Objects.requireNonNullElse(recall, "")).flag(held).u8(priority);
        }
        return out.toBytes();
    }

    static IndexedTransfer read(BodyReader in, long firstSegment) throws StorageException {
        IndexedTransfer state = new IndexedTransfer(in.manifest(), firstSegment);
        state.openedMillis = in.i64();
        state.changedMillis = in.i64();
        state.keptBytes = in.i64();
        state.durable = in.ranges();
        state.released = in.flag();
        if (in.flag()) {
            state.commit = in.commit();
            state.commitSequence = in.i64();
            state.committedMillis = in.i64();
        }
        state.deliverySet = new LinkedHashSet<>(in.strings());
        state.owed.addAll(in.strings());
        state.acknowledged.addAll(in.strings());
        if (state.commit == null && !(state.deliverySet.isEmpty() && state.owed.isEmpty())) {
            throw new CorruptRecordException("a transfer that is owed to subscriptions before its commit");
        }
        int count = in.count(1);
        for (int i = 0; i < count; i++) {
            Receipt receipt = in.receipt();
            state.receipts.put(receipt.subscription(), new KeptReceipt(receipt, in.i64()));
        }
        int permits = in.count(1 + 2 * Long.BYTES);
        for (int i = 0; i < permits; i++) {
            state.permits.put(in.string(), in.node());
        }
        if (in.hasMore()) {
            String recall = in.string();
            state.recall = recall.isEmpty() ? null : recall;
            state.held = in.flag();
            state.priority = in.u8();
        }
        return state;
    }
}
