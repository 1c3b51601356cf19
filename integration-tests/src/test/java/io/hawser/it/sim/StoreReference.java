package io.hawser.it.sim;

import io.hawser.broker.store.BrokerStore;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.reference.ReferenceRelay;
import io.hawser.it.reference.RelayComparison;
import io.hawser.it.reference.RelayComparison.Except;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
    ReferenceRelay.@Nullable Transfer someKept() {
        List<ReferenceRelay.Transfer> kept = state.keptFrom(lastGroupNanos);
        return kept.isEmpty() ? null : kept.get(chain.random.nextInt(kept.size()));
    }

    // --- after a start

    void beforeOpening(ReferenceRelay fromTheLog) {
        documents = fromTheLog;
    }

    /** Asks the store for everything and compares; then {@code done}. */
    void compare(BrokerStore store, Runnable done) {
        Set<TransferKey> keys = new TreeSet<>(chain.keys());
        keys.addAll(documents.transfers.keySet());
        keys.addAll(documents.tombstones.keySet());
        RelayComparison.ask(store, keys, found -> {
            match(found);
            done.run();
        });
    }

    private void match(RelayComparison found) {
        Set<Except> except = EnumSet.noneOf(Except.class);
        if (hasDamage) {
            except.add(Except.FRAGMENTS);
        }
        if (chain.plan.clockJumps()) {
            except.add(Except.OLD_TOMBSTONES);
        }
        List<String> differences = found.differences(documents, except);
        Invariants.check(
                differences.isEmpty(),
                InvariantName.DURABLE_ACK,
                "the broker's store does not say what the documents find in its log",
                differences);
        except.add(Except.NUMBERS);
        LogState fold = broker.emptyState();
        int matches = -1;
        int exact = -1; // damage or not: a transfer that was forgotten and opened again differs in its fragments alone
        List<String> first = List.of();
        for (int applied = 0; applied <= appended.size(); applied++) {
            if (applied > 0) {
                appended.get(applied - 1).apply(fold, applied);
            }
            if (applied >= durable) {
                differences = found.differences(fold.fold, except);
                matches = differences.isEmpty() ? applied : matches;
                exact = differences.isEmpty()
                                && found.differences(fold.fold, EnumSet.of(Except.NUMBERS))
                                        .isEmpty()
                        ? applied
                        : exact;
                first = applied == durable ? differences : first;
            }
        }
        Invariants.check(
                matches >= 0,
                InvariantName.DURABLE_ACK,
                "the broker's store does not know what was appended to it",
                first);
        matches = exact >= 0 ? exact : matches;
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
}
