package io.hawser.it.reference;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.it.reference.ReferenceRelay.Kept;
import io.hawser.it.reference.ReferenceRelay.Transfer;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Folds the records of a broker's log. What each does is in the description of {@link RelayRecord}. Thread: its owner's. */
public final class ReferenceRelayRecords {
    private static final int VERSION = 2;

    private final ReferenceRelay state = new ReferenceRelay();

    private ReferenceRelayRecords() {}

    /** Reads the log in {@code directory}. */
    public static ReferenceRelay read(Storage storage, Path directory) throws StorageException {
        return of(ReferenceLog.read(storage, directory).records());
    }

    /** The fold of a log's records. */
    static ReferenceRelay of(List<ReferenceRecord> records) throws StorageException {
        ReferenceRelayRecords fold = new ReferenceRelayRecords();
        for (ReferenceRecord record : records) {
            ReferenceInput.<Boolean>whole(record.body(), in -> fold.fold(record, in));
        }
        return fold.state;
    }

    private boolean fold(ReferenceRecord record, ReferenceInput in) throws StorageException {
        int version = in.u8();
        if (version != VERSION) {
            throw new StorageException("a body of version " + version);
        }
        TransferKey key = record.key();
        switch (record.kind()) {
            case 1 -> {
                in.i64();
                opened(in.manifest(in.key()));
            }
            case 2 -> {
                in.i64();
                fragment(key, record.index());
            }
            case 3 -> {
                long time = in.i64();
                small(in.manifest(in.key()), time, record, in.commit(), in.texts());
            }
            case 4 -> {
                long time = in.i64();
                committed(key, time, record.sequence(), in.commit(), in.texts());
            }
            case 5 -> {
                long time = in.i64();
                in.text();
                state.end(key, time);
            }
            case 6 -> subscribed(in.flag(), in.flag(), subscription(in));
            case 7 -> unsubscribed(in.i64(), in.text(), new Topic(in.text()));
            case 8 -> settled(key, in.i64(), in.text());
            case 9 -> {
                in.i64();
                receiptKept(in.receipt(in.key()), record.sequence());
            }
            case 10 -> receiptAcked(key, in.i64(), in.text());
            case 11 -> carried(in);
            case 12 -> {
                SubscriptionSpec spec = subscription(in);
                state.subscriptions.put(spec.name(), spec);
            }
            case 13 -> {
                in.i64();
                for (int left = in.n(); left > 0; left--) {
                    state.tombstones.put(in.key(), in.i64());
                }
            }
            case 14 -> expired(key, in.i64(), in.text());
            case 15 -> {
                in.i64();
                in.text();
                if (state.committed(key) == null) {
                    state.transfers.remove(key);
                }
            }
            case 16 -> {
                in.i64();
                for (int left = in.n(); left > 0; left--) {
                    delivery(in);
                }
            }
            case 17 -> {
                in.i64();
                permitted(key, in.text(), in.nodeId());
            }
            default -> throw new StorageException("a broker's record of kind " + record.kind());
        }
        return true;
    }

    private void opened(Manifest manifest) {
        if (!state.tombstones.containsKey(manifest.key())) {
            state.transfers.putIfAbsent(manifest.key(), new Transfer(manifest));
        }
    }

    private void fragment(TransferKey key, long index) {
        Transfer transfer = state.transfers.get(key);
        if (transfer != null) {
            transfer.durable.add(index);
        }
    }

    private void small(Manifest manifest, long time, ReferenceRecord record, Commit commit, List<String> deliverySet) {
        opened(manifest);
        if (commit.fragmentCount() > 0) {
            fragment(manifest.key(), 0);
        }
        committed(manifest.key(), time, record.sequence(), commit, deliverySet);
    }

    private void committed(TransferKey key, long time, long sequence, Commit commit, List<String> deliverySet) {
        Transfer transfer = state.open(key);
        if (transfer != null) {
            transfer.commit = commit;
            transfer.commitSequence = sequence;
            transfer.committedMillis = time;
            transfer.deliverySet.addAll(deliverySet);
            transfer.owed.addAll(deliverySet);
        }
    }

    private void subscribed(boolean isNew, boolean first, SubscriptionSpec spec) {
        state.subscriptions.put(spec.name(), spec);
        if (!isNew) {
            return;
        }
        for (Transfer transfer : state.transfers.values()) {
            if (transfer.commit == null || !transfer.manifest.topic().equals(spec.topic())) {
                continue;
            }
            if (first && transfer.deliverySet.isEmpty()) {
                transfer.deliverySet.add(spec.name());
                transfer.owed.add(spec.name());
            } else if (spec.startAt() == StartAt.EARLIEST
                    && transfer.keepsBytes()
                    && !transfer.deliverySet.contains(spec.name())
                    && selects(spec, transfer)) {
                transfer.owed.add(spec.name());
            }
        }
    }

    private static boolean selects(SubscriptionSpec spec, Transfer transfer) {
        ReplayFilter replay = spec.terms().replay();
        return transfer.committedMillis >= replay.sinceEpochMillis()
                && replay.names()
                        .map(names -> names.matches(transfer.manifest.name()))
                        .orElse(true);
    }

    private void unsubscribed(long time, String name, Topic topic) {
        state.subscriptions.remove(name);
        RelayRecord.Unsubscribed end = new RelayRecord.Unsubscribed(name, topic, time);
        for (Transfer transfer : List.copyOf(state.transfers.values())) {
            if (!transfer.manifest.topic().equals(topic)) {
                continue;
            }
            TransferKey key = transfer.manifest.key();
            transfer.settle(name);
            if (transfer.deliverySet.contains(name) && !transfer.hasFinalWordOf(name)) {
                transfer.keep(end.receipt(key), transfer.commitSequence);
            }
            endIfFinished(transfer, time);
        }
    }

    private void settled(TransferKey key, long time, String name) {
        Transfer transfer = state.committed(key);
        if (transfer != null) {
            transfer.settle(name);
            endIfFinished(transfer, time);
        }
    }

    private void receiptKept(Receipt receipt, long sequence) {
        Transfer transfer = state.transfers.get(receipt.key());
        if (transfer != null) {
            transfer.keep(receipt, sequence);
        }
    }

    private void receiptAcked(TransferKey key, long time, String name) {
        Transfer transfer = state.transfers.get(key);
        if (transfer != null) {
            transfer.receipts.remove(name);
            transfer.acknowledged.add(name);
            endIfFinished(transfer, time);
        }
    }

    private void endIfFinished(Transfer transfer, long time) {
        if (transfer.isFinished()) {
            state.end(transfer.manifest.key(), time);
        }
    }

    private void expired(TransferKey key, long time, String reason) {
        Transfer transfer = state.committed(key);
        if (transfer != null && transfer.deliverySet.isEmpty()) {
            transfer.deliverySet.add(Receipt.NOBODY);
            transfer.keep(
                    new Receipt(key, Receipt.NOBODY, ReceiptStatus.EXPIRED, reason, time), transfer.commitSequence);
        }
    }

    private void permitted(TransferKey key, String name, NodeId member) {
        Transfer transfer = state.committed(key);
        if (transfer != null && transfer.owed.contains(name)) {
            transfer.permits.put(name, member);
        }
    }

    private void carried(ReferenceInput in) throws StorageException {
        TransferKey key = in.key();
        Transfer transfer = new Transfer(in.manifest(key));
        in.i64(); // when it was opened
        in.i64(); // when it last changed
        in.i64(); // bytes that are kept
        transfer.durable.addAll(in.ranges());
        boolean released = in.flag();
        if (in.flag()) {
            transfer.commit = in.commit();
            transfer.commitSequence = in.i64();
            transfer.committedMillis = in.i64();
        }
        transfer.deliverySet.addAll(in.texts());
        transfer.owed.addAll(in.texts());
        transfer.acknowledged.addAll(in.texts());
        for (int left = in.n(); left > 0; left--) {
            Receipt receipt = in.receipt(in.key());
            transfer.receipts.put(receipt.subscription(), new Kept(receipt, in.i64()));
        }
        for (int left = in.n(); left > 0; left--) {
            transfer.permits.put(in.text(), in.nodeId());
        }
        if (released == transfer.keepsBytes()) {
            throw new StorageException("whether bytes are kept does not follow from " + transfer);
        }
        state.transfers.put(key, transfer);
    }

    private static SubscriptionSpec subscription(ReferenceInput in) throws StorageException {
        String name = in.text();
        Topic topic = new Topic(in.text());
        NodeId owner = in.nodeId();
        StartAt start = StartAt.of(in.u8());
        AckLevel level = AckLevel.of(in.u8());
        SubscriptionTerms terms = SubscriptionTerms.of(in.pairs());
        TreeMap<String, GroupRoster.Member> members = new TreeMap<>();
        for (int left = in.n(); left > 0; left--) {
            members.put(in.text(), new GroupRoster.Member(in.nodeId(), in.text()));
        }
        List<NodeId> lost = new ArrayList<>();
        for (int left = in.n(); left > 0; left--) {
            lost.add(in.nodeId());
        }
        Ownership ownership = new Ownership(in.text(), in.i64(), in.flag());
        return new SubscriptionSpec(name, topic, owner, start, level, terms, new GroupRoster(members, lost), ownership);
    }

    /** What a far end has published; only its form is read. */
    private static void delivery(ReferenceInput in) throws StorageException {
        in.key();
        in.text();
        new Topic(in.text());
        TransferKind.of(in.u8());
        in.text();
        in.text();
        in.i64();
        in.digest();
        in.i64();
        in.i64();
    }
}
