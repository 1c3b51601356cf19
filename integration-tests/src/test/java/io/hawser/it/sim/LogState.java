package io.hawser.it.sim;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.it.reference.ReferenceRelay;
import io.hawser.it.reference.ReferenceRelay.Transfer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fold of what the relay has appended, and who has to hear what came of it. Thread: the simulator's. */
final class LogState {
    /** Told when the last copy of a transfer's bytes goes, and when it is known for whom they are. */
    interface Listener {
        void dropped(Transfer transfer);

        /** Its delivery set is fixed. */
        void committed(Transfer transfer);

        /** Not committed, and gone. */
        void forgotten(TransferKey key);

        /** {@link #dropped} came of a removal. */
        void freedByRemoval();
    }

    final ReferenceRelay fold = new ReferenceRelay();
    /** By transfer those subscriptions that were removed since it began. One that comes back under such a name may get it or not. */
    private final Map<TransferKey, Set<String>> removed = new HashMap<>();
    /** When the first fragment of a transfer that is not one record became durable last: it comes again if it was damaged. */
    private final Map<TransferKey, Long> firstNanos = new HashMap<>();

    private final Listener listener;

    LogState(Listener listener) {
        this.listener = listener;
    }

    @Nullable
    Transfer transfer(TransferKey key) {
        return fold.transfers.get(key);
    }

    boolean isGone(TransferKey key) {
        return fold.tombstones.containsKey(key);
    }

    Map<String, SubscriptionSpec> subscriptions() {
        return fold.subscriptions;
    }

    Set<String> removedSince(TransferKey key) {
        return removed.getOrDefault(key, Set.of());
    }

    /** Those of which a first fragment is kept in a record of its own, durable since before {@code nanos}. */
    List<Transfer> keptFrom(long nanos) {
        return fold.transfers.values().stream()
                .filter(each -> each.keepsBytes()
                        && !each.durable.isEmpty()
                        && firstNanos.getOrDefault(each.manifest.key(), Long.MAX_VALUE) < nanos)
                .toList();
    }

    void stored(TransferKey key, long index, int length, long nowNanos) {
        Transfer transfer = transfer(key);
        if (transfer != null && transfer.keepsBytes()) {
            if (transfer.durable.isEmpty() || index <= transfer.durable.firstPresent(0)) {
                firstNanos.put(key, nowNanos);
            }
            fold.fragment(key, index, length);
        }
    }

    /** A transfer that is one record. */
    void whole(Manifest manifest, int length, Commit commit, List<String> deliverySet, long sequence) {
        fold.opened(manifest);
        if (length > 0) {
            fold.fragment(manifest.key(), 0, length);
        }
        committed(manifest.key(), commit, deliverySet, sequence);
    }

    void apply(RelayRecord record, long sequence) {
        if (record instanceof RelayRecord.Opened opened) {
            fold.opened(opened.manifest());
        } else if (record instanceof RelayRecord.Committed committed) {
            committed(committed.key(), committed.commit(), committed.deliverySet(), sequence);
        } else if (record instanceof RelayRecord.Cancelled cancelled) {
            fold.cancelled(cancelled.key(), 0);
        } else if (record instanceof RelayRecord.Forgotten forgotten) {
            forgotten(forgotten.key());
        } else if (record instanceof RelayRecord.Subscribed subscribed) {
            SubscriptionSpec spec = subscribed.spec();
            fold.subscribed(spec, !fold.subscriptions.containsKey(spec.name()), subscribed.firstOnTopic());
        } else if (record instanceof RelayRecord.Unsubscribed unsubscribed) {
            unsubscribed(unsubscribed);
        } else if (record instanceof RelayRecord.Expired expired) {
            dropping(expired.key(), () -> fold.expired(expired));
        } else if (record instanceof RelayRecord.Recalled recalled) {
            dropping(recalled.key(), () -> fold.recalled(recalled));
        } else if (record instanceof RelayRecord.Steered steered) {
            fold.steered(steered);
        } else if (record instanceof RelayRecord.Settled settled) {
            dropping(settled.key(), () -> fold.settled(settled.key(), 0, settled.subscription()));
        } else if (record instanceof RelayRecord.Permitted permitted) {
            fold.permitted(permitted.key(), permitted.subscription(), permitted.member());
        } else if (record instanceof RelayRecord.ReceiptKept kept) {
            dropping(kept.receipt().key(), () -> fold.receiptKept(kept.receipt(), sequence));
        } else if (record instanceof RelayRecord.ReceiptAcked acked) {
            fold.receiptAcked(acked.key(), 0, acked.subscription());
        }
    }

    private void committed(TransferKey key, Commit commit, List<String> deliverySet, long sequence) {
        Transfer transfer = transfer(key);
        if (transfer != null && transfer.commit == null) {
            fold.committed(key, 0, sequence, commit, deliverySet);
            listener.committed(transfer);
        }
    }

    private void forgotten(TransferKey key) {
        boolean isOpen = transfer(key) != null;
        fold.forgotten(key);
        if (isOpen && transfer(key) == null) {
            removed.remove(key);
            listener.forgotten(key);
        }
    }

    private void unsubscribed(RelayRecord.Unsubscribed gone) {
        List<Transfer> kept =
                fold.transfers.values().stream().filter(Transfer::keepsBytes).toList();
        fold.transfers.keySet().forEach(key -> removed.computeIfAbsent(key, unused -> new HashSet<>())
                .add(gone.subscription()));
        fold.unsubscribed(gone);
        for (Transfer transfer : kept) {
            if (!transfer.keepsBytes()) {
                listener.dropped(transfer);
                listener.freedByRemoval();
            }
        }
    }

    private void dropping(TransferKey key, Runnable change) {
        Transfer transfer = transfer(key);
        boolean kept = transfer != null && transfer.keepsBytes();
        change.run();
        if (kept && !transfer.keepsBytes()) {
            listener.dropped(transfer);
        }
    }
}
