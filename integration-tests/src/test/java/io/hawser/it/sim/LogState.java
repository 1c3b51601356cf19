package io.hawser.it.sim;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fold of a relay's log: the reference of what {@link RelayRecord}s mean. */
final class LogState {
    /** A transfer as the log knows it. */
    static final class Entry {
        final Manifest manifest;
        final FragmentRanges durable = new FragmentRanges();
        final Set<String> deliverySet = new LinkedHashSet<>();
        final Set<String> owed = new LinkedHashSet<>();
        final Map<String, NodeId> permits = new LinkedHashMap<>();
        final Map<String, Receipt> receipts = new LinkedHashMap<>();
        final Map<String, Long> receiptSequences = new LinkedHashMap<>();
        final Set<String> ackedReceipts = new LinkedHashSet<>();
        /** Subscriptions that were removed since. One that comes back under such a name may get it or not. */
        final Set<String> removedBefore = new LinkedHashSet<>();

        StoredTransfer.State state = StoredTransfer.State.OPEN;
        long commitSequence;
        boolean dropped;
        /** Whether one record holds all of it. */
        boolean isWhole;
        /** When its first fragment became durable. */
        long firstNanos;

        @Nullable
        Commit commit;

        Entry(Manifest manifest) {
            this.manifest = manifest;
        }
    }

    /** Told when the last copy of a transfer's bytes goes, and when it is known for whom they are. */
    interface Listener {
        void dropped(Entry entry);

        /** Its delivery set is fixed. */
        void committed(Entry entry);

        /** Not committed, and gone. */
        void forgotten(Entry entry);

        /** {@link #dropped} came of a removal. */
        void freedByRemoval();
    }

    final Map<TransferKey, Entry> transfers = new LinkedHashMap<>();
    final Set<TransferKey> tombstones = new LinkedHashSet<>();
    final Map<String, SubscriptionSpec> subscriptions = new LinkedHashMap<>();
    private final Listener listener;

    LogState(Listener listener) {
        this.listener = listener;
    }

    StoredTransfer.State stateOf(TransferKey key) {
        if (tombstones.contains(key)) {
            return StoredTransfer.State.GONE;
        }
        Entry entry = transfers.get(key);
        return entry == null ? StoredTransfer.State.ABSENT : entry.state;
    }

    void stored(TransferKey key, long index, long nowNanos) {
        Entry entry = transfers.get(key);
        if (entry != null && !entry.dropped) {
            entry.firstNanos =
                    entry.durable.isEmpty() || index < entry.durable.firstPresent(0) ? nowNanos : entry.firstNanos;
            entry.durable.add(index);
        }
    }

    void apply(RelayRecord record, long sequence) {
        if (record instanceof RelayRecord.Opened opened) {
            opened(opened.manifest());
        } else if (record instanceof RelayRecord.Committed committed) {
            committed(committed.key(), committed.commit(), committed.deliverySet(), sequence);
        } else if (record instanceof RelayRecord.Cancelled cancelled) {
            cancelled(cancelled.key());
        } else if (record instanceof RelayRecord.Forgotten forgotten) {
            forgotten(forgotten.key());
        } else if (record instanceof RelayRecord.Subscribed subscribed) {
            subscribed(subscribed.spec(), subscribed.firstOnTopic());
        } else if (record instanceof RelayRecord.Unsubscribed unsubscribed) {
            unsubscribed(unsubscribed);
        } else if (record instanceof RelayRecord.Expired expired) {
            expired(expired);
        } else if (record instanceof RelayRecord.Settled settled) {
            settled(transfers.get(settled.key()), settled.subscription());
        } else if (record instanceof RelayRecord.Permitted permitted) {
            permitted(permitted);
        } else if (record instanceof RelayRecord.ReceiptKept kept) {
            receiptKept(kept.receipt(), sequence);
        } else if (record instanceof RelayRecord.ReceiptAcked acked) {
            receiptAcked(acked.key(), acked.subscription());
        }
    }

    /** A transfer that is one record. */
    void whole(Manifest manifest, boolean hasBytes, Commit commit, List<String> deliverySet, long sequence) {
        opened(manifest);
        Entry entry = transfers.get(manifest.key());
        if (entry != null && hasBytes) {
            entry.durable.add(0);
            entry.isWhole = true;
        }
        committed(manifest.key(), commit, deliverySet, sequence);
    }

    void opened(Manifest manifest) {
        if (!tombstones.contains(manifest.key())) {
            transfers.putIfAbsent(manifest.key(), new Entry(manifest));
        }
    }

    void committed(TransferKey key, Commit commit, List<String> deliverySet, long sequence) {
        Entry entry = transfers.get(key);
        if (entry == null || entry.commit != null) {
            return;
        }
        entry.commit = commit;
        entry.state = StoredTransfer.State.COMMITTED;
        entry.commitSequence = sequence;
        entry.deliverySet.addAll(deliverySet);
        entry.owed.addAll(deliverySet);
        listener.committed(entry);
    }

    private void cancelled(TransferKey key) {
        Entry entry = transfers.get(key);
        if (entry == null || entry.commit == null) {
            transfers.remove(key);
            tombstones.add(key);
        }
    }

    private void forgotten(TransferKey key) {
        Entry entry = transfers.get(key);
        if (entry != null && entry.commit == null) {
            transfers.remove(key);
            listener.forgotten(entry);
        }
    }

    private void subscribed(SubscriptionSpec spec, boolean firstOnTopic) {
        boolean isNew = subscriptions.put(spec.name(), spec) == null;
        for (Entry entry : transfers.values()) {
            boolean fits = isNew
                    && entry.commit != null
                    && !entry.dropped
                    && entry.manifest.topic().equals(spec.topic());
            if (fits && firstOnTopic && entry.deliverySet.isEmpty()) {
                entry.deliverySet.add(spec.name());
                entry.owed.add(spec.name());
            } else if (fits && spec.startAt() == StartAt.EARLIEST && !entry.deliverySet.contains(spec.name())) {
                entry.owed.add(spec.name());
            }
        }
    }

    private void unsubscribed(RelayRecord.Unsubscribed gone) {
        String name = gone.subscription();
        subscriptions.remove(name);
        for (Entry entry : new ArrayList<>(transfers.values())) {
            Receipt known = entry.receipts.get(name);
            boolean hasFinalWord = entry.ackedReceipts.contains(name)
                    || (known != null && known.status().isFinal());
            if (entry.deliverySet.contains(name) && !hasFinalWord) {
                keep(entry, gone.receipt(entry.manifest.key()));
            }
            entry.removedBefore.add(name);
            boolean kept = !entry.dropped;
            settled(entry, name);
            if (kept && entry.dropped) {
                listener.freedByRemoval();
            }
        }
    }

    private void permitted(RelayRecord.Permitted permitted) {
        Entry entry = transfers.get(permitted.key());
        if (entry != null && entry.owed.contains(permitted.subscription())) {
            entry.permits.put(permitted.subscription(), permitted.member());
        }
    }

    private void expired(RelayRecord.Expired expired) {
        Entry entry = transfers.get(expired.key());
        if (entry != null && entry.commit != null && entry.deliverySet.isEmpty()) {
            entry.deliverySet.add(Receipt.NOBODY);
            keep(entry, expired.receipt());
            settled(entry, Receipt.NOBODY);
        }
    }

    private static void keep(Entry entry, Receipt receipt) {
        entry.receipts.put(receipt.subscription(), receipt);
        entry.receiptSequences.put(receipt.subscription(), entry.commitSequence);
    }

    private void settled(@Nullable Entry entry, String subscription) {
        if (entry == null) {
            return;
        }
        release(entry, subscription);
        endIfOver(entry);
    }

    private void release(Entry entry, String subscription) {
        entry.owed.remove(subscription);
        entry.permits.remove(subscription);
        if (entry.owed.isEmpty() && entry.commit != null && !entry.deliverySet.isEmpty() && !entry.dropped) {
            entry.dropped = true;
            listener.dropped(entry);
        }
    }

    /** Nobody is owed it, and its publisher has all receipts that count. */
    private void endIfOver(Entry entry) {
        if (entry.dropped && entry.ackedReceipts.containsAll(entry.deliverySet)) {
            transfers.remove(entry.manifest.key());
            tombstones.add(entry.manifest.key());
        }
    }

    private void receiptKept(Receipt receipt, long sequence) {
        Entry entry = transfers.get(receipt.key());
        if (entry == null) {
            return;
        }
        if (!entry.ackedReceipts.contains(receipt.subscription())) {
            entry.receipts.put(receipt.subscription(), receipt);
            entry.receiptSequences.put(receipt.subscription(), sequence);
        }
        if (receipt.status().isFinal()) {
            release(entry, receipt.subscription()); // it ends when its publisher has the receipt
        }
    }

    private void receiptAcked(TransferKey key, String subscription) {
        Entry entry = transfers.get(key);
        if (entry == null) {
            return;
        }
        entry.receipts.remove(subscription);
        entry.ackedReceipts.add(subscription);
        endIfOver(entry);
    }
}
