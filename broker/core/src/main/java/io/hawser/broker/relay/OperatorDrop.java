package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drops a transfer at an operator's request: removes it from all subscriptions that are owed it, frees its bytes, and sends its
 * publisher the receipt EXPIRED with the reason. A consumer that already has all of it keeps it.
 *
 * <p>Thread: the relay's loop.
 */
public final class OperatorDrop {
    private static final String REASON = "dropped by the operator of the broker";

    private final Relay relay;
    private final RelayStore store;
    private final LongSupplier epochMillis;

    /** @param epochMillis wall clock, for receipts */
    public OperatorDrop(Relay relay, RelayStore store, LongSupplier epochMillis) {
        this.relay = relay;
        this.store = store;
        this.epochMillis = epochMillis;
    }

    /** Answered with the names of the subscriptions that it is dropped for; of one that no subscription has come for with none. */
    public void drop(TransferKey key, Outcome.Callback<List<String>> done) {
        store.lookup(key, outcome -> {
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            Refusal refusal = whyNot(key, kept);
            if (kept == null || refusal != null) {
                done.accept(new Outcome<>(null, refusal));
            } else if (kept.deliverySet().isEmpty() && kept.owed().isEmpty()) {
                dropUnclaimed(key, done);
            } else {
                done.accept(Outcome.of(dropOwed(kept)));
            }
        });
    }

    private static @Nullable Refusal whyNot(TransferKey key, @Nullable KeptTransfer kept) {
        if (kept == null) {
            return new Refusal(ErrorCode.NOT_FOUND, "the broker keeps no transfer " + key);
        }
        if (kept.commit() == null) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "transfer " + key
                            + " is not complete at the broker: end it at its publisher, or wait for --retain-incomplete");
        }
        return kept.owed().isEmpty() && !kept.deliverySet().isEmpty()
                ? new Refusal(ErrorCode.NOT_FOUND, "no subscription is owed transfer " + key + " any more")
                : null;
    }

    private void dropUnclaimed(TransferKey key, Outcome.Callback<List<String>> done) {
        store.append(new RelayRecord.Expired(key, REASON, epochMillis.getAsLong()), appended -> {
            relay.receiptsMade();
            done.accept(appended.map(sequence -> List.of()));
        });
    }

    private List<String> dropOwed(KeptTransfer kept) {
        List<String> names = new ArrayList<>();
        for (String name : kept.owed()) {
            SubscriptionFeed feed = relay.subscriptions().find(name);
            if (feed != null) {
                Receipt expired = relay.expired(kept.manifest().key(), name, REASON);
                feed.giveUp(expired);
                names.add(name);
            }
        }
        return names;
    }
}
