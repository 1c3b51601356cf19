package io.hawser.broker.relay;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds committed transfers, lets them go on, and gives them priorities. Later transfers of its path wait for one that is held.
 *
 * <p>Thread: the relay's loop.
 */
public final class Holds {
    /** The most that a subscription has in memory, since those that it is sent pass them there. */
    private static final int MOST_HELD = 1024;

    private static final int MOST_RECENT = 8192;

    private final Relay relay;
    private final RelayStore store;
    /** A page of the store that was asked for before may not show them. */
    private final Map<TransferKey, Steering> recent = new EvictingMap<>(MOST_RECENT);

    Holds(Relay relay, RelayStore store) {
        this.relay = relay;
        this.store = store;
    }

    /** What is asked of a transfer now. */
    Steering of(KeptTransfer kept) {
        return recent.getOrDefault(kept.manifest().key(), kept.steering());
    }

    /** Holds a transfer; {@code done} when that is durable. Refused with a sentence if it cannot be held any more. */
    public void hold(TransferKey key, Outcome.Callback<TransferKey> done) {
        lookUp(key, done, kept -> {
            List<SubscriptionFeed> held = feeds(kept, feed -> feed.heldTransfers() < MOST_HELD && feed.hold(key));
            if (held.isEmpty()) {
                done.accept(
                        Outcome.refused(
                                ErrorCode.NOT_ALLOWED,
                                "it is too late: each far end that is owed it may have all of it by now, or has too many held"));
            } else {
                write(kept, steering -> steering.withHeld(true), done);
            }
        });
    }

    /** Lets a held transfer go on; {@code done} when that is durable. */
    public void release(TransferKey key, Outcome.Callback<TransferKey> done) {
        lookUp(
                key,
                done,
                kept -> write(kept, steering -> steering.withHeld(false), outcome -> {
                    if (!outcome.isRefused()) {
                        feeds(kept, feed -> true).forEach(feed -> feed.release(key));
                    }
                    done.accept(outcome);
                }));
    }

    /** Gives a transfer a priority, 1 (last) to 9 (first); {@code done} when that is durable. */
    public void prioritise(TransferKey key, int priority, Outcome.Callback<TransferKey> done) {
        lookUp(
                key,
                done,
                kept -> write(kept, steering -> steering.withPriority(priority), outcome -> {
                    if (!outcome.isRefused()) {
                        feeds(kept, feed -> true).forEach(feed -> feed.prioritise(key, priority));
                    }
                    done.accept(outcome);
                }));
    }

    private interface Action {
        void run(KeptTransfer kept);
    }

    private void lookUp(TransferKey key, Outcome.Callback<TransferKey> done, Action action) {
        store.lookup(key, outcome -> {
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            Refusal refusal = whyNot(key, kept);
            if (kept == null || refusal != null) {
                done.accept(new Outcome<>(null, refusal));
            } else {
                action.run(kept);
            }
        });
    }

    private static @Nullable Refusal whyNot(TransferKey key, @Nullable KeptTransfer kept) {
        if (kept == null) {
            return new Refusal(ErrorCode.NOT_FOUND, "the broker keeps no transfer " + key);
        } else if (kept.commit() == null) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED, "it is not complete at the broker: ask for it at its publisher's node");
        } else if (kept.steering().isRecalled()) {
            return new Refusal(ErrorCode.NOT_ALLOWED, "it is being cancelled");
        }
        return kept.owed().isEmpty()
                ? new Refusal(ErrorCode.NOT_ALLOWED, "no subscription is owed it, or each far end has it")
                : null;
    }

    private List<SubscriptionFeed> feeds(KeptTransfer kept, Predicate<SubscriptionFeed> wanted) {
        List<SubscriptionFeed> found = new ArrayList<>();
        for (String name : kept.owed()) {
            SubscriptionFeed feed = relay.subscriptions().find(name);
            if (feed != null && wanted.test(feed)) {
                found.add(feed);
            }
        }
        return found;
    }

    private void write(KeptTransfer kept, UnaryOperator<Steering> change, Outcome.Callback<TransferKey> done) {
        TransferKey key = kept.manifest().key();
        Steering now = change.apply(of(kept));
        recent.put(key, now);
        store.append(
                new RelayRecord.Steered(key, now.held(), now.priority()),
                outcome -> done.accept(outcome.map(sequence -> key)));
    }
}
