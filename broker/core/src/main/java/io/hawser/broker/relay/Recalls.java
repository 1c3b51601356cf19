package io.hawser.broker.relay;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Cancels transfers, also committed ones, wherever they are not delivered. That a transfer is cancelled is durable first: then its bytes go, and
 * each subscription without a final receipt asks its consumer in each session until it has one: CANCELLED, or what had become of the transfer.
 *
 * <p>Thread: the relay's loop.
 */
public final class Recalls {
    private static final int MOST_RECENT = 8192;
    /** Where no reason is given. */
    private static final String CANCELLED = "cancelled";

    private final Relay relay;
    private final RelayStore store;
    private final LongSupplier epochMillis;
    private final Set<TransferKey> recent = EvictingMap.newSet(MOST_RECENT);

    Recalls(Relay relay, RelayStore store, LongSupplier epochMillis) {
        this.relay = relay;
        this.store = store;
        this.epochMillis = epochMillis;
    }

    /** Cancels a transfer; {@code done} when that is durable. Refused with {@code NOT_FOUND} if nothing is kept of it. */
    public void recall(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        store.lookup(key, outcome -> {
            Refusal refusal = outcome.refusal();
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            if (refusal != null) {
                done.accept(Outcome.refused(refusal));
            } else if (kept == null) {
                done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "the broker keeps no transfer " + key));
            } else if (kept.commit() == null) {
                relay.cancelAndTell(key, reason, done);
            } else if (kept.steering().isRecalled()) {
                done.accept(Outcome.of(key));
            } else {
                write(kept, reason, done);
            }
        });
    }

    /** Whether this transfer is cancelled, or is about to be; a page of the store that was asked for before may not show it. */
    boolean isRecent(TransferKey key) {
        return recent.contains(key);
    }

    private void write(KeptTransfer kept, String reason, Outcome.Callback<TransferKey> done) {
        TransferKey key = kept.manifest().key();
        recent.add(key);
        relay.subscriptions().of(kept.manifest().topic()).forEach(feed -> feed.stop(key, reason));
        List<String> asked = kept.deliverySet().stream()
                .filter(name -> relay.subscriptions().find(name) instanceof SingleConsumerSubscription)
                .toList();
        store.append(
                new RelayRecord.Recalled(key, reason.isEmpty() ? CANCELLED : reason, asked, epochMillis.getAsLong()),
                appended -> {
                    Refusal refusal = appended.refusal();
                    if (refusal != null) {
                        done.accept(Outcome.refused(refusal));
                        return;
                    }
                    relay.receipts().made(() -> {});
                    store.lookup(key, outcome -> {
                        KeptTransfer now =
                                outcome.isRefused() ? null : outcome.get().transfer();
                        if (now != null) {
                            tell(now);
                        }
                        done.accept(Outcome.of(key));
                    });
                });
    }

    private void tell(KeptTransfer kept) {
        for (String name : kept.owed()) {
            SubscriptionFeed feed = relay.subscriptions().find(name);
            if (feed != null) {
                feed.recall(kept);
            }
        }
    }
}
