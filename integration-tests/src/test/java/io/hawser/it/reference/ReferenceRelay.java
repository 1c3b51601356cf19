package io.hawser.it.reference;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.broker.relay.Steering;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReplayFilter;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of a broker: the fold of its records, each as the description of {@link RelayRecord} has it. {@link ReferenceRelayRecords} folds
 * those of a log; the simulator those that it appends. Thread: its owner's.
 */
public final class ReferenceRelay {
    /** One transfer that is not finished. Thread: its owner's. */
    public static final class Transfer {
        public final Manifest manifest;
        public final FragmentRanges durable = new FragmentRanges();
        public final Set<String> deliverySet = new TreeSet<>();
        public final Set<String> owed = new TreeSet<>();
        public final Set<String> acknowledged = new TreeSet<>();
        public final Map<String, KeptReceipt> receipts = new TreeMap<>();
        public final Map<String, NodeId> permits = new TreeMap<>();
        long payloadBytes;
        long commitSequence;
        long committedMillis;

        public @Nullable Commit commit;
        /** Why it is cancelled; null if it is not. */
        public @Nullable String recall;

        boolean held;
        int priority = 5;

        Transfer(Manifest manifest) {
            this.manifest = manifest;
        }

        /** Whether its bytes are needed: by an upload under way, by who is owed it, or by the first who will come. */
        public boolean keepsBytes() {
            return commit == null || deliverySet.isEmpty() || (!owed.isEmpty() && recall == null);
        }

        KeptTransfer toKept() {
            return new KeptTransfer(
                    manifest,
                    durable,
                    commit,
                    commitSequence,
                    deliverySet,
                    owed,
                    permits,
                    new Steering(recall, held, priority));
        }

        long keptBytes() {
            return keepsBytes() ? payloadBytes : 0;
        }

        long reservedBytes() {
            return commit == null && manifest.sizeKnown() ? Math.max(0, manifest.sizeBytes() - payloadBytes) : 0;
        }

        private void settle(String subscription) {
            owed.remove(subscription);
            permits.remove(subscription);
        }

        private void keep(Receipt receipt, long sequence) {
            if (acknowledged.contains(receipt.subscription())) {
                return;
            }
            receipts.put(receipt.subscription(), new KeptReceipt(receipt, sequence));
            if (receipt.status().isFinal()) {
                settle(receipt.subscription());
            }
        }

        private boolean hasFinalWordOf(String subscription) {
            KeptReceipt kept = receipts.get(subscription);
            return acknowledged.contains(subscription)
                    || (kept != null && kept.receipt().status().isFinal());
        }

        /** Whether nothing more is to come of it. */
        private boolean isFinished() {
            return !keepsBytes()
                    && owed.isEmpty()
                    && acknowledged.containsAll(deliverySet)
                    && receipts.values().stream()
                            .noneMatch(kept -> kept.receipt().status().isFinal());
        }

        @Override
        public String toString() {
            return (commit == null ? "OPEN " : "COMMITTED ") + manifest + " durable=" + (keepsBytes() ? durable : "-")
                    + " commit=" + commit + "@" + commitSequence + " deliverySet=" + deliverySet + " owed=" + owed
                    + " permits=" + permits + " receipts=" + receipts + " acknowledged=" + acknowledged + " recall="
                    + recall;
        }
    }

    public final Map<TransferKey, Transfer> transfers = new TreeMap<>();
    /** When each transfer was finished or cancelled. */
    public final Map<TransferKey, Long> tombstones = new TreeMap<>();

    public final Map<String, SubscriptionSpec> subscriptions = new TreeMap<>();

    /** The transfer, if it is committed. */
    private @Nullable Transfer committed(TransferKey key) {
        Transfer known = transfers.get(key);
        return known == null || known.commit == null ? null : known;
    }

    public void opened(Manifest manifest) {
        if (!tombstones.containsKey(manifest.key())) {
            transfers.putIfAbsent(manifest.key(), new Transfer(manifest));
        }
    }

    public void fragment(TransferKey key, long index, int payloadLength) {
        Transfer transfer = transfers.get(key);
        if (transfer != null && transfer.durable.add(index)) {
            transfer.payloadBytes += payloadLength;
        }
    }

    public void committed(TransferKey key, long time, long sequence, Commit commit, List<String> deliverySet) {
        Transfer transfer = transfers.get(key);
        if (transfer != null && transfer.commit == null) {
            transfer.commit = commit;
            transfer.commitSequence = sequence;
            transfer.committedMillis = time;
            transfer.deliverySet.addAll(deliverySet);
            transfer.owed.addAll(deliverySet);
        }
    }

    /** A transfer that is one record. */
    public void small(
            Manifest manifest, long time, long sequence, int payloadLength, Commit commit, List<String> deliverySet) {
        opened(manifest);
        if (payloadLength > 0) {
            fragment(manifest.key(), 0, payloadLength);
        }
        committed(manifest.key(), time, sequence, commit, deliverySet);
    }

    public void cancelled(TransferKey key, long time) {
        transfers.remove(key);
        tombstones.put(key, time);
    }

    public void forgotten(TransferKey key) {
        if (committed(key) == null) {
            transfers.remove(key);
        }
    }

    public void subscribed(SubscriptionSpec spec, boolean isNew, boolean first) {
        subscriptions.put(spec.name(), spec);
        if (!isNew) {
            return;
        }
        for (Transfer transfer : transfers.values()) {
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

    public void unsubscribed(RelayRecord.Unsubscribed end) {
        String name = end.subscription();
        subscriptions.remove(name);
        for (Transfer transfer : List.copyOf(transfers.values())) {
            if (!transfer.manifest.topic().equals(end.topic())) {
                continue;
            }
            transfer.settle(name);
            if (transfer.deliverySet.contains(name) && !transfer.hasFinalWordOf(name)) {
                transfer.keep(end.receipt(transfer.manifest.key()), transfer.commitSequence);
            }
            endIfFinished(transfer, end.epochMillis());
        }
    }

    public void settled(TransferKey key, long time, String name) {
        Transfer transfer = committed(key);
        if (transfer != null) {
            transfer.settle(name);
            endIfFinished(transfer, time);
        }
    }

    public void receiptKept(Receipt receipt, long sequence) {
        Transfer transfer = transfers.get(receipt.key());
        if (transfer != null) {
            transfer.keep(receipt, sequence);
        }
    }

    public void receiptAcked(TransferKey key, long time, String name) {
        Transfer transfer = transfers.get(key);
        if (transfer != null) {
            transfer.receipts.remove(name);
            transfer.acknowledged.add(name);
            endIfFinished(transfer, time);
        }
    }

    private void endIfFinished(Transfer transfer, long time) {
        if (transfer.isFinished()) {
            cancelled(transfer.manifest.key(), time);
        }
    }

    public void expired(RelayRecord.Expired record) {
        Transfer transfer = committed(record.key());
        if (transfer != null && transfer.deliverySet.isEmpty()) {
            transfer.deliverySet.add(Receipt.NOBODY);
            transfer.keep(record.receipt(), transfer.commitSequence);
        }
    }

    public void recalled(RelayRecord.Recalled record) {
        Transfer transfer = committed(record.key());
        if (transfer != null && transfer.recall == null) {
            transfer.recall = record.reason();
            transfer.held = false;
            transfer.priority = 5;
            record.asked().stream()
                    .filter(name -> transfer.deliverySet.contains(name) && !transfer.hasFinalWordOf(name))
                    .forEach(transfer.owed::add);
            if (transfer.deliverySet.isEmpty()) {
                transfer.deliverySet.add(Receipt.NOBODY);
                transfer.keep(record.receipt(), transfer.commitSequence);
            }
        }
    }

    public void steered(RelayRecord.Steered record) {
        Transfer transfer = committed(record.key());
        if (transfer != null && transfer.recall == null) {
            transfer.held = record.held();
            transfer.priority = record.priority();
        }
    }

    public void permitted(TransferKey key, String name, NodeId member) {
        Transfer transfer = committed(key);
        if (transfer != null && transfer.owed.contains(name)) {
            transfer.permits.put(name, member);
        }
    }
}
