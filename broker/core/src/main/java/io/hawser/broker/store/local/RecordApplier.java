package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.broker.store.local.BrokerTombstones.Tombstone;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.Utf8;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Applies log records to the state. The writer, a replay and a rebuild of the index use the same code; it has no clock, so all three
 * give the same state.
 *
 * <p>Thread: index only.
 */
final class RecordApplier {
    private static final int PAGE = 500;
    /** Of all receipts of a transfer together: they are in one row of the index. */
    private static final int MAX_REASONS_BYTES = 256 << 10;

    private final TransferIndexCache set;
    private Pause pause = () -> {};
    private RelayEvents events = new RelayEvents(TransferEvents.NONE);
    private boolean rebuilding;
    private boolean adopted;

    RecordApplier(TransferIndexCache set) {
        this.set = set;
    }

    /** What is done between two pages of a change that concerns very many transfers. */
    @FunctionalInterface
    interface Pause {
        /**
         * What the record has changed so far may be looked at; nothing may be changed, nor committed: after a crash the index has all
         * of a record or nothing.
         */
        void run() throws StorageException;
    }

    /** Sets what is done in the middle of long changes. */
    void pausing(Pause value) {
        pause = value;
    }

    /** Sets what is told of the transfers. */
    void reporting(RelayEvents value) {
        events = value;
    }

    /** While the whole log is replayed, fragments of transfers whose state comes later (carried forward) are kept. */
    void rebuilding(boolean value) {
        rebuilding = value;
    }

    /** Applies one record; one that was applied before does nothing. */
    void apply(LogRecord record) throws StorageException {
        if (record.sequence() <= set.appliedSequence()) {
            return;
        }
        if (record.key() == null && RecordKind.isOfTransfer(record.kind())) {
            throw new CorruptRecordException("a record of kind " + record.kind() + " at " + record.position()
                    + " should be about a transfer and names none");
        }
        BodyReader.read(record.body(), in -> apply(record, in));
        set.applied(record);
    }

    private boolean apply(LogRecord record, BodyReader in) throws StorageException {
        switch (record.kind()) {
            case RecordKind.OPENED -> open(record, in.i64(), in.manifest());
            case RecordKind.FRAGMENT -> fragment(record, in.i64());
            case RecordKind.SMALL -> small(record, in);
            case RecordKind.COMMITTED -> committed(record, in.i64(), in.commit(), in.strings());
            case RecordKind.CANCELLED -> cancelled(record, in.i64(), in.string());
            case RecordKind.FORGOTTEN -> forgotten(Objects.requireNonNull(record.key()));
            case RecordKind.SUBSCRIBED -> subscribed(record, in.flag(), in.flag(), in.subscription());
            case RecordKind.UNSUBSCRIBED -> unsubscribed(record, in.unsubscribed());
            case RecordKind.SETTLED -> settled(record, in.i64(), in.string());
            case RecordKind.RECEIPT_KEPT -> receiptKept(record, in.i64(), in.receipt());
            case RecordKind.RECEIPT_ACKED -> receiptAcked(record, in.i64(), in.string());
            case RecordKind.TRANSFER_CARRIED -> transferCarried(record, in);
            case RecordKind.SUBSCRIPTION_CARRIED -> subscriptionCarried(record, in.subscription());
            case RecordKind.TOMBSTONES -> tombstones(record, in);
            case RecordKind.DELIVERIES -> deliveries(record, in);
            case RecordKind.PERMITTED -> permitted(record, in.i64(), in.string(), in.node());
            case RecordKind.STEERED -> steered(record, in.i64(), in.flag(), in.u8());
            case RecordKind.RECALLED -> recalled(record, in.recalled(Objects.requireNonNull(record.key())));
            case RecordKind.EXPIRED -> expired(record, in.expired(Objects.requireNonNull(record.key())));
            default ->
                throw new FormatTooNewException("a record of kind " + record.kind() + " at " + record.position()
                        + ", which this version of Hawser does not know. Use the newer version.");
        }
        return true;
    }

    private void open(LogRecord record, long millis, Manifest manifest) {
        if (set.tombstones().contains(manifest.key()) || set.find(manifest.key()) != null) {
            return;
        }
        IndexedTransfer state = new IndexedTransfer(manifest, record.position().segment());
        state.openedMillis = millis;
        set.add(state);
        change(state, millis);
    }

    private void fragment(LogRecord record, long millis) {
        TransferKey key = Objects.requireNonNull(record.key());
        IndexedTransfer state = set.find(key);
        if (state == null) {
            if (rebuilding && !set.tombstones().contains(key)) {
                set.addOrphan(key, runOf(record));
            }
            return;
        }
        if (state.released) {
            return;
        }
        set.addRun(state, runOf(record));
        if (state.durable.add(record.index())) {
            set.kept(state, record.payloadLength());
            change(state, millis);
        } else {
            set.dirty(state); // the same bytes in another place: no change for any reader
        }
    }

    private static Extent runOf(LogRecord record) {
        return new Extent(record.index(), 1, record.place(), record.placeLength());
    }

    private void small(LogRecord record, BodyReader in) throws StorageException {
        long millis = in.i64();
        Manifest manifest = in.manifest();
        Commit commit = in.commit();
        List<String> deliverySet = in.strings();
        open(record, millis, manifest);
        if (record.payloadLength() > 0) {
            fragment(record, millis);
        }
        committed(record, millis, commit, deliverySet);
    }

    private void committed(LogRecord record, long millis, Commit commit, List<String> deliverySet) {
        IndexedTransfer state = set.find(Objects.requireNonNull(record.key()));
        if (state == null || state.committed()) {
            return;
        }
        set.reserve(state, () -> state.commit = commit);
        state.commitSequence = record.sequence();
        state.committedMillis = millis;
        state.deliverySet.addAll(deliverySet);
        deliverySet.forEach(name -> owe(state, name));
        change(state, millis);
        events.committed(state, record);
        releaseIfUnneeded(state);
    }

    private void owe(IndexedTransfer state, String subscription) {
        if (state.owed.contains(subscription)) {
            return;
        }
        countHeld(state, -1);
        state.owed.add(subscription);
        countHeld(state, 1);
        SubscriptionState subscriber = set.subscription(subscription);
        if (subscriber != null) {
            subscriber.owedTransfers++;
            subscriber.owedBytes += Objects.requireNonNull(state.commit).sizeBytes();
            subscriber.lastOwedSequence = Math.max(subscriber.lastOwedSequence, state.commitSequence);
            set.dirty(subscriber);
        }
    }

    /** If the transfer is owed to one subscription alone, it counts, or no longer counts, as kept for that one. */
    private void countHeld(IndexedTransfer state, int sign) {
        String only = state.onlyOwedTo();
        SubscriptionState subscriber = only == null ? null : set.subscription(only);
        if (subscriber != null) {
            subscriber.heldTransfers += sign;
            subscriber.heldBytes += sign * Objects.requireNonNull(state.commit).sizeBytes();
            set.dirty(subscriber);
        }
    }

    private void oweNoLonger(IndexedTransfer state, String subscription) {
        if (!state.owed.contains(subscription)) {
            return;
        }
        countHeld(state, -1);
        state.owed.remove(subscription);
        state.permits.remove(subscription);
        countHeld(state, 1);
        SubscriptionState subscriber = set.subscription(subscription);
        if (subscriber != null) {
            subscriber.owedTransfers--;
            subscriber.owedBytes -= Objects.requireNonNull(state.commit).sizeBytes();
            set.dirty(subscriber);
        }
    }

    private void cancelled(LogRecord record, long millis, String reason) {
        TransferKey key = Objects.requireNonNull(record.key());
        IndexedTransfer state = set.find(key);
        if (state != null) {
            List.copyOf(state.owed).forEach(name -> oweNoLonger(state, name));
            events.cancelled(state, reason, millis, record);
            end(state, millis);
        } else if (!set.tombstones().contains(key)) {
            set.tombstones().add(new Tombstone(key, millis), record.position().segment());
        }
    }

    private void forgotten(TransferKey key) {
        IndexedTransfer state = set.find(key);
        if (state == null) {
            set.dropOrphans(key);
        } else if (!state.committed()) {
            set.forget(state);
        }
    }

    private void permitted(LogRecord record, long millis, String subscription, NodeId member) {
        IndexedTransfer state = set.find(Objects.requireNonNull(record.key()));
        if (state != null && state.owed.contains(subscription)) {
            state.permits.put(subscription, member);
            change(state, millis);
        }
    }

    private void settled(LogRecord record, long millis, String subscription) {
        IndexedTransfer state = set.find(Objects.requireNonNull(record.key()));
        if (state != null && state.owed.contains(subscription)) {
            oweNoLonger(state, subscription);
            change(state, millis);
            releaseIfUnneeded(state);
            endIfFinished(state, millis);
        }
    }

    private void receiptKept(LogRecord record, long millis, Receipt receipt) {
        IndexedTransfer state = set.find(receipt.key());
        if (state == null || state.acknowledged.contains(receipt.subscription())) {
            return;
        }
        int mostBytes = MAX_REASONS_BYTES / Math.max(1, state.deliverySet.size());
        Receipt shortened = receipt.withReason(Utf8.cut(receipt.reason(), mostBytes));
        KeptReceipt before = state.receipts.put(receipt.subscription(), new KeptReceipt(shortened, record.sequence()));
        boolean repeated = before != null && before.receipt().status() == ReceiptStatus.DELIVERED;
        if (receipt.status() == ReceiptStatus.DELIVERED
                && !repeated
                && state.committed()
                && ReplicaRecord.counts(state.manifest.kind())) {
            set.deliveries().add(ReplicaRecord.of(state, receipt, record.sequence()), state.firstSegment);
        }
        if (receipt.status().isFinal()) {
            oweNoLonger(state, receipt.subscription());
        }
        if (before == null
                || before.receipt().status() != shortened.status()
                || !before.receipt().reason().equals(shortened.reason())) {
            events.receipt(state, shortened, millis, record);
        }
        change(state, millis);
        releaseIfUnneeded(state);
    }

    private void receiptAcked(LogRecord record, long millis, String subscription) {
        IndexedTransfer state = set.find(Objects.requireNonNull(record.key()));
        boolean isOf =
                state != null && (state.deliverySet.contains(subscription) || state.receipts.containsKey(subscription));
        if (state == null || !isOf) {
            return;
        }
        KeptReceipt kept = state.receipts.remove(subscription);
        if (kept != null && kept.receipt().status() != ReceiptStatus.DELIVERED) {
            state.acknowledgedFailures.put(subscription, kept.receipt());
        }
        state.acknowledged.add(subscription);
        change(state, millis);
        endIfFinished(state, millis);
    }

    private void subscribed(LogRecord record, boolean fresh, boolean firstOnTopic, SubscriptionSpec spec)
            throws StorageException {
        SubscriptionState known = set.subscription(spec.name());
        if (known != null) {
            known.spec = spec;
            set.dirty(known);
            return;
        }
        if (!fresh) {
            return; // it was there before; its own record is gone, and its state comes later, carried forward
        }
        set.add(new SubscriptionState(spec, record.position().segment()));
        if (rebuilding) {
            set.countOwed(spec.name()); // if it was there before all the same
        }
        if (firstOnTopic) {
            forEachOfTopic(spec.topic(), TransferTable.UNCLAIMED, state -> {
                state.deliverySet.add(spec.name());
                owe(state, spec.name());
            });
        }
        if (spec.startAt() == StartAt.EARLIEST) {
            forEachOfTopic(spec.topic(), TransferTable.KEPT, state -> {
                if (!state.deliverySet.contains(spec.name())
                        && spec.terms().replay().has(state.committedMillis, state.manifest.name())) {
                    owe(state, spec.name());
                }
            });
        }
    }

    private void forEachOfTopic(Topic topic, int column, Consumer<IndexedTransfer> change) throws StorageException {
        long after = 0;
        List<IndexedTransfer> page = set.ofTopic(topic, column, after, PAGE);
        while (!page.isEmpty()) {
            for (IndexedTransfer state : page) {
                after = state.commitSequence;
                set.dirty(state);
                change.accept(state);
            }
            if (page.size() == PAGE) {
                pause.run();
            }
            page = set.ofTopic(topic, column, after, PAGE);
        }
    }

    private void unsubscribed(LogRecord record, RelayRecord.Unsubscribed gone) throws StorageException {
        // Even if the subscription is not known, since its own record is no longer in the log. What is released has
        // been
        // settled with it, but it owes the publisher the last word.
        forEachOfTopic(gone.topic(), TransferTable.RELEASED, state -> oweNoLonger(record, state, gone));
        forEachOfTopic(
                gone.topic(), TransferTable.KEPT, state -> oweNoLonger(record, state, gone)); // last: it releases some
        SubscriptionState known = set.subscription(gone.subscription());
        if (known != null) {
            set.remove(known);
        }
    }

    private void oweNoLonger(LogRecord record, IndexedTransfer state, RelayRecord.Unsubscribed gone) {
        String name = gone.subscription();
        boolean counts = state.deliverySet.contains(name) && !state.hasFinalWordOf(name);
        if (!counts && !state.owed.contains(name)) {
            return;
        }
        oweNoLonger(state, name);
        if (counts) {
            make(state, name, gone.receipt(state.key()), gone.epochMillis(), record);
        }
        change(state, gone.epochMillis());
        releaseIfUnneeded(state);
        endIfFinished(state, gone.epochMillis());
    }

    /** A receipt that no consumer sends. */
    private void make(IndexedTransfer state, String name, Receipt receipt, long millis, LogRecord cause) {
        state.receipts.put(name, new KeptReceipt(receipt, state.commitSequence));
        events.receipt(state, receipt, millis, cause);
        set.receiptMade(state.key().publisher());
    }

    private void expired(LogRecord cause, RelayRecord.Expired record) {
        IndexedTransfer state = set.find(record.key());
        if (state != null && state.unclaimed()) {
            state.deliverySet.add(Receipt.NOBODY);
            make(state, Receipt.NOBODY, record.receipt(), record.epochMillis(), cause);
            change(state, record.epochMillis());
            releaseIfUnneeded(state);
        }
    }

    private void recalled(LogRecord cause, RelayRecord.Recalled record) {
        IndexedTransfer state = set.find(record.key());
        if (state == null || !state.committed() || state.recall != null) {
            return;
        }
        countHeld(state, -1);
        state.recall = record.reason();
        state.held = false;
        state.priority = HopSender.USUAL_PRIORITY;
        record.asked().stream()
                .filter(name -> state.deliverySet.contains(name) && !state.hasFinalWordOf(name))
                .forEach(name -> owe(state, name));
        if (state.unclaimed()) {
            state.deliverySet.add(Receipt.NOBODY);
            make(state, Receipt.NOBODY, record.receipt(), record.epochMillis(), cause);
        }
        change(state, record.epochMillis());
        releaseIfUnneeded(state);
    }

    private void steered(LogRecord record, long millis, boolean held, int priority) {
        IndexedTransfer state = set.find(Objects.requireNonNull(record.key()));
        if (state != null && state.committed() && state.recall == null) {
            state.held = held;
            state.priority = priority;
            change(state, millis);
        }
    }

    /** The state is exact: nothing touched the transfer between its being taken and its being appended. */
    private void transferCarried(LogRecord record, BodyReader in) throws StorageException {
        TransferKey key = Objects.requireNonNull(record.key());
        IndexedTransfer known = set.find(key);
        if (known != null) {
            known.firstSegment = record.position().segment();
            set.dirty(known);
        } else if (rebuilding) {
            adopt(IndexedTransfer.read(in, record.position().segment()));
        }
        set.carries().onDone(PendingRelocations.of(key));
    }

    /** Whether a state came from the log without the records that it was made of. */
    boolean hasAdopted() {
        return adopted;
    }

    private void adopt(IndexedTransfer state) {
        adopted = true;
        set.add(state);
        set.adoptOrphans(state);
        set.keptAlready(state);
        List<String> owed = List.copyOf(state.owed);
        state.owed.clear();
        owed.forEach(name -> owe(state, name));
    }

    private void subscriptionCarried(LogRecord record, SubscriptionSpec spec) {
        SubscriptionState known = set.subscription(spec.name());
        if (known != null) {
            known.segment = record.position().segment();
            set.dirty(known);
        } else if (rebuilding) {
            set.add(new SubscriptionState(spec, record.position().segment()));
            set.countOwed(spec.name());
        }
        set.carries().onDone(PendingRelocations.of(spec.name()));
    }

    private void tombstones(LogRecord record, BodyReader in) throws StorageException {
        BrokerTombstones.Row row = RecordCodec.tombstones(in, record.position().segment());
        if (rebuilding) {
            row.tombstones.forEach(tombstone -> set.tombstones().add(tombstone, row.segment));
        } else {
            set.tombstones().onCarried(row);
        }
    }

    private void deliveries(LogRecord record, BodyReader in) throws StorageException {
        long id = in.i64();
        if (rebuilding) {
            for (ReplicaRecord delivery : Deliveries.read(record.body())) {
                set.deliveries().add(delivery, record.position().segment());
            }
        } else {
            set.deliveries()
                    .onCarried(
                            id,
                            in.count(ReplicaRecord.MIN_BYTES),
                            record.position().segment());
        }
    }

    private void change(IndexedTransfer state, long millis) {
        state.changedMillis = Math.max(state.changedMillis, millis);
        set.dirty(state);
    }

    private void releaseIfUnneeded(IndexedTransfer state) {
        boolean needed = state.unclaimed() || !(state.owed.isEmpty() || state.recall != null);
        if (state.committed() && !needed && !state.released) {
            state.released = true;
            set.release(state);
        }
    }

    private void endIfFinished(IndexedTransfer state, long millis) {
        if (state.finished()) {
            set.finished().add(state.toStatus());
            end(state, millis);
        }
    }

    private void end(IndexedTransfer state, long millis) {
        set.forget(state);
        set.tombstones().add(new Tombstone(state.key(), millis), state.firstSegment);
    }

    static LogPosition after(LogRecord record) {
        return new LogPosition(record.position().segment(), record.position().offset() + record.lengthBytes());
    }
}
