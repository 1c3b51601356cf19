package io.hawser.it.sim;

import io.hawser.broker.relay.KeptTransfer;
import io.hawser.broker.relay.RelayStore;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.reference.ReferenceRelay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the broker's store has to know: the plainest fold of all that was appended to it. After a start it has to know the fold of everything that
 * had been called durable and of none, some or all of what had been appended after that, in order.
 */
final class StoreReference {
    /** One append. */
    interface Change {
        void apply(LogState state, long sequence);
    }

    private static final int MANY = 10_000;

    private final SimBroker broker;
    private final SimChain chain;
    private final List<Change> appended = new ArrayList<>();
    private int durable;
    private boolean hasDamage;
    /** When the last group became durable. */
    private long lastGroupNanos;

    private LogState state;
    /** What the log says at this start, by the documents alone. */
    private ReferenceRelay documents = new ReferenceRelay();

    StoreReference(SimBroker broker) {
        this.broker = broker;
        this.chain = broker.chain;
        this.state = broker.emptyState();
    }

    LogState state() {
        return state;
    }

    /** A bit was flipped under the store: fragments may be missing from now on. */
    void damaged() {
        hasDamage = true;
    }

    /** Notes an append; the callback to give to the store. */
    Outcome.Callback<Long> appending(Change change, Outcome.Callback<Long> done) {
        appended.add(change);
        return outcome -> {
            if (!outcome.isRefused()) {
                change.apply(state, outcome.get());
                durable++;
                lastGroupNanos = chain.scheduler.nowNanos();
            }
            done.accept(outcome);
        };
    }

    /**
     * Of which a first fragment is kept in a record of its own, and not in the last group: damage there cannot be told from the end of a
     * write that a power cut has torn.
     */
    LogState.@Nullable Entry someKept() {
        List<LogState.Entry> kept = state.transfers.values().stream()
                .filter(entry -> !entry.dropped
                        && !entry.durable.isEmpty()
                        && !entry.isWhole
                        && entry.firstNanos < lastGroupNanos)
                .toList();
        return kept.isEmpty() ? null : kept.get(chain.random.nextInt(kept.size()));
    }

    // --- after a start

    void beforeOpening(ReferenceRelay fromTheLog) {
        documents = fromTheLog;
    }

    /** What the store says. */
    private static final class Found {
        final Map<TransferKey, RelayStore.Lookup> transfers = new LinkedHashMap<>();
        final Set<String> subscriptions = new TreeSet<>();
        final Map<TransferKey, Set<String>> receipts = new LinkedHashMap<>();
        int waiting;
    }

    /** Asks the store for everything and compares; then {@code done}. */
    void compare(RelayStore store, Runnable done) {
        Found found = new Found();
        Set<TransferKey> keys = new LinkedHashSet<>(chain.keys());
        found.waiting = keys.size() + 1 + chain.publishers.size();
        Runnable answered = () -> {
            if (--found.waiting == 0) {
                match(found);
                done.run();
            }
        };
        keys.forEach(key -> store.lookup(key, outcome -> {
            if (!outcome.isRefused()) {
                found.transfers.put(key, outcome.get());
            }
            answered.run();
        }));
        store.subscriptions(outcome -> {
            outcome.get().stream().map(SubscriptionSpec::name).forEach(found.subscriptions::add);
            answered.run();
        });
        chain.publishers.forEach(publisher -> store.receipts(publisher.id, 0, MANY, outcome -> {
            outcome.get().stream().map(RelayStore.KeptReceipt::receipt).forEach(receipt -> found.receipts
                    .computeIfAbsent(receipt.key(), unused -> new TreeSet<>())
                    .add(describe(receipt)));
            answered.run();
        }));
    }

    private void match(Found found) {
        Invariants.check(
                documents.subscriptionNames().equals(found.subscriptions),
                InvariantName.DURABLE_ACK,
                "the broker's store knows other subscriptions than the documents find in its log",
                found.subscriptions + ", not " + documents.subscriptionNames());
        found.transfers.forEach((key, lookup) -> {
            String there = describe(lookup, found.receipts.getOrDefault(key, Set.of()));
            String expected = documents.describe(key, !hasDamage);
            boolean hasExpired = expected.equals("gone") && there.equals("absent") && chain.plan.clockJumps();
            Invariants.check(
                    expected.equals(there) || hasExpired,
                    InvariantName.DURABLE_ACK,
                    "the broker's store does not say what the documents find in its log",
                    key + ": they find " + expected + ", it says " + there);
        });
        LogState fold = broker.emptyState();
        int matches = -1;
        String first = "";
        for (int applied = 0; applied <= appended.size(); applied++) {
            if (applied > 0) {
                appended.get(applied - 1).apply(fold, applied);
            }
            if (applied >= durable) {
                String difference = difference(fold, found);
                matches = difference.isEmpty() ? applied : matches;
                first = applied == durable ? difference : first;
            }
        }
        Invariants.check(
                matches >= 0,
                InvariantName.DURABLE_ACK,
                "the broker's store does not know what was appended to it",
                first);
        if (matches < appended.size()) {
            chain.count(Fault.UNFORCED_WRITES_LOST);
            appended.subList(matches, appended.size()).clear();
        }
        durable = matches;
        state = broker.emptyState();
        for (int i = 0; i < matches; i++) {
            appended.get(i).apply(state, i + 1);
        }
    }

    /** What differs, as a sentence; empty if nothing does. */
    private String difference(LogState fold, Found found) {
        if (!fold.subscriptions.keySet().equals(found.subscriptions)) {
            return "subscriptions " + fold.subscriptions.keySet() + ", found " + found.subscriptions;
        }
        for (Map.Entry<TransferKey, RelayStore.Lookup> each : found.transfers.entrySet()) {
            String expected = describe(fold, each.getKey());
            String there = describe(each.getValue(), found.receipts.getOrDefault(each.getKey(), Set.of()));
            boolean hasExpired = expected.equals("gone") && there.equals("absent") && chain.plan.clockJumps();
            if (!expected.equals(there) && !hasExpired) {
                return each.getKey() + ": expected " + expected + ", found " + there;
            }
        }
        return "";
    }

    private String describe(LogState fold, TransferKey key) {
        LogState.Entry entry = fold.transfers.get(key);
        if (entry == null) {
            return fold.tombstones.contains(key) ? "gone" : "absent";
        }
        Set<String> receipts = new TreeSet<>();
        entry.receipts.values().forEach(receipt -> receipts.add(describe(receipt)));
        return (entry.commit == null ? "open" : "committed")
                + (hasDamage || entry.dropped ? "" : " " + entry.durable)
                + " for "
                + new TreeSet<>(entry.deliverySet)
                + " owed "
                + new TreeSet<>(entry.owed)
                + " permits "
                + new TreeMap<>(entry.permits)
                + " receipts "
                + receipts;
    }

    private String describe(RelayStore.Lookup lookup, Set<String> receipts) {
        KeptTransfer kept = lookup.transfer();
        if (kept == null) {
            return lookup.state() == StoredTransfer.State.GONE ? "gone" : "absent";
        }
        boolean dropped = kept.commit() != null
                && kept.owed().isEmpty()
                && !kept.deliverySet().isEmpty();
        return (kept.commit() == null ? "open" : "committed")
                + (hasDamage || dropped ? "" : " " + kept.durable())
                + " for "
                + new TreeSet<>(kept.deliverySet())
                + " owed "
                + new TreeSet<>(kept.owed())
                + " permits "
                + new TreeMap<>(kept.permits())
                + " receipts "
                + receipts;
    }

    private static String describe(Receipt receipt) {
        return receipt.subscription() + " " + receipt.status();
    }
}
