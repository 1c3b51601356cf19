package io.hawser.it.reference;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.it.reference.ReferenceRelay.Transfer;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Folds the records of a broker's log; their bodies are in the package description of {@code broker.store.local}. Thread: its owner's. */
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
                state.opened(in.manifest(in.key()));
            }
            case 2 -> {
                in.i64();
                state.fragment(key, record.index(), record.payloadLength());
            }
            case 3 -> {
                long time = in.i64();
                Manifest manifest = in.manifest(in.key());
                state.small(manifest, time, record.sequence(), record.payloadLength(), in.commit(), in.texts());
            }
            case 4 -> {
                long time = in.i64();
                state.committed(key, time, record.sequence(), in.commit(), in.texts());
            }
            case 5 -> {
                long time = in.i64();
                in.text();
                state.cancelled(key, time);
            }
            case 6 -> {
                boolean isNew = in.flag();
                boolean first = in.flag();
                state.subscribed(subscription(in), isNew, first);
            }
            case 7 -> {
                long time = in.i64();
                state.unsubscribed(new RelayRecord.Unsubscribed(in.text(), new Topic(in.text()), time));
            }
            case 8 -> state.settled(key, in.i64(), in.text());
            case 9 -> {
                in.i64();
                state.receiptKept(in.receipt(in.key()), record.sequence());
            }
            case 10 -> state.receiptAcked(key, in.i64(), in.text());
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
            case 14 -> {
                long time = in.i64();
                state.expired(new RelayRecord.Expired(key, in.text(), time));
            }
            case 15 -> {
                in.i64();
                in.text();
                state.forgotten(key);
            }
            case 16 -> {
                in.i64();
                for (int left = in.n(); left > 0; left--) {
                    delivery(in);
                }
            }
            case 17 -> {
                in.i64();
                state.permitted(key, in.text(), in.nodeId());
            }
            case 18 -> {
                long time = in.i64();
                state.recalled(new RelayRecord.Recalled(key, in.text(), in.texts(), time));
            }
            case 19 -> {
                in.i64();
                state.steered(new RelayRecord.Steered(key, in.flag(), in.u8()));
            }
            default -> throw new StorageException("a broker's record of kind " + record.kind());
        }
        return true;
    }

    private void carried(ReferenceInput in) throws StorageException {
        TransferKey key = in.key();
        Transfer transfer = new Transfer(in.manifest(key));
        in.i64(); // when it was opened
        in.i64(); // when it last changed
        transfer.payloadBytes = in.i64();
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
            transfer.receipts.put(receipt.subscription(), new KeptReceipt(receipt, in.i64()));
        }
        for (int left = in.n(); left > 0; left--) {
            transfer.permits.put(in.text(), in.nodeId());
        }
        if (in.hasMore()) {
            String recall = in.text();
            transfer.recall = recall.isEmpty() ? null : recall;
            transfer.held = in.flag();
            transfer.priority = in.u8();
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
