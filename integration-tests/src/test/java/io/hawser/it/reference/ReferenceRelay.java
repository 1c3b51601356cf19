package io.hawser.it.reference;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a broker's log says: the fold of its records. {@link ReferenceRelayRecords} makes it. Thread: its owner's. */
public final class ReferenceRelay {
    /** A receipt and the number under which it is kept. */
    record Kept(Receipt receipt, long sequence) {}

    /** One transfer that is not finished. */
    static final class Transfer {
        final Manifest manifest;
        final FragmentRanges durable = new FragmentRanges();
        final Set<String> deliverySet = new TreeSet<>();
        final Set<String> owed = new TreeSet<>();
        final Set<String> acknowledged = new TreeSet<>();
        final Map<String, Kept> receipts = new TreeMap<>();
        final Map<String, NodeId> permits = new TreeMap<>();
        long commitSequence;
        long committedMillis;

        @Nullable
        Commit commit;

        Transfer(Manifest manifest) {
            this.manifest = manifest;
        }

        /** Whether its bytes are needed: by an upload under way, by who is owed it, or by the first who will come. */
        boolean keepsBytes() {
            return commit == null || deliverySet.isEmpty() || !owed.isEmpty();
        }

        void settle(String subscription) {
            owed.remove(subscription);
            permits.remove(subscription);
        }

        void keep(Receipt receipt, long sequence) {
            if (acknowledged.contains(receipt.subscription())) {
                return;
            }
            receipts.put(receipt.subscription(), new Kept(receipt, sequence));
            if (receipt.status().isFinal()) {
                settle(receipt.subscription());
            }
        }

        boolean hasFinalWordOf(String subscription) {
            Kept kept = receipts.get(subscription);
            return acknowledged.contains(subscription)
                    || (kept != null && kept.receipt.status().isFinal());
        }

        /** Whether nothing more is to come of it. */
        boolean isFinished() {
            return commit != null && !deliverySet.isEmpty() && owed.isEmpty() && acknowledged.containsAll(deliverySet);
        }

        @Override
        public String toString() {
            return (commit == null ? "OPEN " : "COMMITTED ") + manifest + " durable=" + (keepsBytes() ? durable : "-")
                    + " commit=" + commit + "@" + commitSequence + " deliverySet=" + deliverySet + " owed=" + owed
                    + " permits=" + permits + " receipts=" + receipts + " acknowledged=" + acknowledged;
        }
    }

    final Map<TransferKey, Transfer> transfers = new TreeMap<>();
    /** When each transfer was finished or cancelled. */
    final Map<TransferKey, Long> tombstones = new TreeMap<>();

    final Map<String, SubscriptionSpec> subscriptions = new TreeMap<>();

    /** Of every subscription. */
    public Set<String> subscriptionNames() {
        return subscriptions.keySet();
    }

    /** What has to be known of a transfer, as text: "gone" or "absent" where nothing is kept of it. */
    public String describe(TransferKey key, boolean withFragments) {
        Transfer transfer = transfers.get(key);
        if (transfer == null) {
            return tombstones.containsKey(key) ? "gone" : "absent";
        }
        Set<String> kept = new TreeSet<>();
        transfer.receipts.values().forEach(each -> kept.add(each.receipt.subscription() + " " + each.receipt.status()));
        return (transfer.commit == null ? "open" : "committed")
                + (withFragments && transfer.keepsBytes() ? " " + transfer.durable : "")
                + " for " + transfer.deliverySet + " owed " + transfer.owed + " permits " + transfer.permits
                + " receipts " + kept;
    }

    /** The transfer, if it is open. */
    @Nullable
    Transfer open(TransferKey key) {
        Transfer known = transfers.get(key);
        return known == null || known.commit != null ? null : known;
    }

    /** The transfer, if it is committed. */
    @Nullable
    Transfer committed(TransferKey key) {
        Transfer known = transfers.get(key);
        return known == null || known.commit == null ? null : known;
    }

    void end(TransferKey key, long epochMillis) {
        transfers.remove(key);
        tombstones.put(key, epochMillis);
    }
}
