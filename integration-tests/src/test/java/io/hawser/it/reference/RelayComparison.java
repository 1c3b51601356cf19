package io.hawser.it.reference;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayStore.KeptReceipt;
import io.hawser.broker.store.BrokerStore;
import io.hawser.broker.store.SubscriptionStatus;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** All that is to be known of a broker's state, of a store that was asked or of a fold, to be compared. Thread: the store's loop. */
public final class RelayComparison {
    private static final int MANY = 100_000;
    private static final String GONE = "gone";

    /** What does not count. */
    public enum Except {
        /** Fragments and bytes: a bit was flipped under the store, so it may lack some. */
        FRAGMENTS,
        /** Numbers of records: the fold is not of the log's records. */
        NUMBERS,
        /** Tombstones that the store has not: they may be too old. */
        OLD_TOMBSTONES
    }

    private final Set<TransferKey> gone = new HashSet<>();
    private final Map<TransferKey, KeptTransfer> transfers = new HashMap<>();
    private final Map<TransferKey, Set<String>> acknowledged = new HashMap<>();
    private final Map<String, KeptReceipt> receipts = new HashMap<>();
    private final Map<String, String> subscriptions = new HashMap<>();
    private final Map<String, List<TransferKey>> owed = new HashMap<>();
    private final Set<TransferKey> unclaimed = new TreeSet<>();
    private long usedBytes;
    private long reservedBytes;
    private int waiting = 1;

    private RelayComparison() {}

    /** Asks for these transfers and all subscriptions, and then {@code done}. */
    public static void ask(BrokerStore store, Collection<TransferKey> keys, Consumer<RelayComparison> done) {
        RelayComparison found = new RelayComparison();
        Runnable answered = () -> {
            if (--found.waiting == 0) {
                found.usedBytes = store.sizes().usedBytes();
                found.reservedBytes = store.sizes().reservedBytes();
                done.accept(found);
            }
        };
        found.ask(store, keys, answered);
        answered.run();
    }

    private void ask(BrokerStore store, Collection<TransferKey> keys, Runnable answered) {
        Set<NodeId> publishers = new HashSet<>();
        for (TransferKey key : keys) {
            if (publishers.add(key.publisher())) {
                store.receipts(key.publisher(), 0, MANY, when(answered, all -> all.get()
                        .forEach(this::add)));
            }
            store.lookup(key, when(answered, lookup -> {
                KeptTransfer kept = lookup.get().transfer();
                if (kept != null) {
                    transfers.put(key, kept);
                } else if (lookup.get().state() == StoredTransfer.State.GONE) {
                    gone.add(key);
                }
            }));
            store.transfer(key, when(answered, status -> {
                if (!status.isRefused()) {
                    acknowledged.put(key, status.get().acknowledged());
                }
            }));
        }
        store.unclaimedSince(Long.MAX_VALUE, false, MANY, when(answered, all -> unclaimed.addAll(all.get())));
        store.subscriptionStatus(when(answered, all -> {
            for (SubscriptionStatus each : all.get()) {
                String name = each.spec().name();
                subscriptions.put(
                        name, subscription(each.spec(), each.owedBytes(), each.heldTransfers(), each.heldBytes()));
                store.owed(name, 0, MANY, when(answered, page -> owed.put(name, keys(page.get()))));
            }
        }));
    }

    private <T> Outcome.Callback<T> when(Runnable answered, Consumer<Outcome<T>> answer) {
        waiting++;
        return outcome -> {
            answer.accept(outcome);
            answered.run();
        };
    }

    private void add(KeptReceipt kept) {
        receipts.put(kept.receipt().key() + " " + kept.receipt().subscription(), kept);
    }

    private static RelayComparison of(ReferenceRelay fold) {
        RelayComparison all = new RelayComparison();
        all.gone.addAll(fold.tombstones.keySet());
        fold.transfers.forEach((key, transfer) -> {
            all.transfers.put(key, transfer.toKept());
            all.acknowledged.put(key, transfer.acknowledged);
            transfer.receipts.values().forEach(all::add);
            if (transfer.commit != null && transfer.deliverySet.isEmpty()) {
                all.unclaimed.add(key);
            }
            all.usedBytes += transfer.keptBytes();
            all.reservedBytes += transfer.reservedBytes();
        });
        fold.subscriptions.forEach((name, spec) -> {
            List<KeptTransfer> owed = all.transfers.values().stream()
                    .filter(each -> each.owed().contains(name))
                    .sorted(Comparator.comparingLong(KeptTransfer::commitSequence))
                    .toList();
            List<KeptTransfer> alone = owed.stream()
                    .filter(each -> each.owed().size() == 1 && !each.steering().isRecalled())
                    .toList();
            all.subscriptions.put(name, subscription(spec, sizes(owed), alone.size(), sizes(alone)));
            all.owed.put(name, keys(owed));
        });
        return all;
    }

    private static List<TransferKey> keys(List<KeptTransfer> transfers) {
        return transfers.stream().map(each -> each.manifest().key()).toList();
    }

    @SuppressWarnings("NullAway") // what is owed is committed
    private static long sizes(List<KeptTransfer> transfers) {
        return transfers.stream().mapToLong(each -> each.commit().sizeBytes()).sum();
    }

    private static String subscription(Object spec, long owedBytes, long alone, long aloneBytes) {
        return spec + " is owed " + owedBytes + " bytes, of which alone " + alone + " transfers, " + aloneBytes
                + " bytes: ";
    }

    /** A sentence for each thing on which the store that was asked and the fold differ. */
    public List<String> differences(ReferenceRelay fold, Set<Except> except) {
        Map<String, String> expected = of(fold).lines(except);
        Map<String, String> found = lines(except);
        if (except.contains(Except.OLD_TOMBSTONES)) {
            expected.entrySet().removeIf(each -> each.getValue().equals(GONE) && !found.containsKey(each.getKey()));
        }
        return ReferenceDifference.between(expected, found);
    }

    private Map<String, String> lines(Set<Except> except) {
        boolean numbers = !except.contains(Except.NUMBERS);
        boolean fragments = !except.contains(Except.FRAGMENTS);
        Map<String, String> all = new TreeMap<>();
        gone.forEach(key -> all.put(key.toString(), GONE));
        transfers.forEach((key, kept) -> {
            boolean released = kept.commit() != null
                    && !kept.deliverySet().isEmpty()
                    && (kept.owed().isEmpty() || kept.steering().isRecalled());
            all.put(
                    key.toString(),
                    text(kept.manifest()) + " " + kept.commit()
                            + (numbers ? " as " + kept.commitSequence() : "")
                            + (fragments && !released ? " " + kept.durable() : "")
                            + " for " + new TreeSet<>(kept.deliverySet())
                            + " owed " + new TreeSet<>(kept.owed())
                            + " permits " + new TreeMap<>(kept.permits())
                            + " " + kept.steering()
                            + " acknowledged " + new TreeSet<>(acknowledged.getOrDefault(key, Set.of())));
        });
        receipts.forEach((place, kept) -> all.put(place, kept.receipt() + (numbers ? " as " + kept.sequence() : "")));
        subscriptions.forEach((name, line) -> all.put(name, line + owed.get(name)));
        all.put("unclaimed", unclaimed.toString());
        if (fragments) {
            all.put("bytes", usedBytes + " used, " + reservedBytes + " reserved");
        }
        return all;
    }

    /** The same text for the same manifest, whatever the order of its attributes. */
    private static String text(Manifest manifest) {
        Manifest plain = new Manifest(
                manifest.key(),
                manifest.number(),
                manifest.topic(),
                manifest.kind(),
                manifest.name(),
                manifest.paths(),
                manifest.sizeBytes(),
                manifest.fragmentSizeBytes(),
                Map.of(),
                manifest.extensions());
        return plain + " with " + new TreeMap<>(manifest.attributes());
    }
}
