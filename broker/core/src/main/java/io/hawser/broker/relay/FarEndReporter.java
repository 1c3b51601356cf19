package io.hawser.broker.relay;

import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.TransferKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells a publisher how far its transfers are at their far ends. Of a transfer that still comes in these are the subscriptions of its
 * topic, later those of its delivery set.
 *
 * <p>Thread: the relay's loop.
 */
final class FarEndReporter {
    /** The most far ends of one transfer that are told, by name: a person looks at them. */
    static final int MOST_OF_EACH = 64;

    private final Relay relay;
    private final RelayStore store;
    private final LiveTransfers live;
    private final Subscriptions subscriptions;

    FarEndReporter(Relay relay, RelayStore store, LiveTransfers live, Subscriptions subscriptions) {
        this.relay = relay;
        this.store = store;
        this.live = live;
        this.subscriptions = subscriptions;
    }

    void farEnds(TransferKey key, Outcome.Callback<List<FarEndProgress>> done) {
        LiveTransfer open = live.find(key);
        if (open != null) {
            List<FarEndProgress> lines =
                    lines(key, subscriptions.names(open.manifest.topic()), name -> false, open.manifest.sizeBytes());
            relay.post(() -> done.accept(Outcome.of(lines)));
        } else {
            store.lookup(key, outcome -> done.accept(outcome.map(found -> lines(key, found.transfer()))));
        }
    }

    private List<FarEndProgress> lines(TransferKey key, @Nullable KeptTransfer kept) {
        Commit commit = kept == null ? null : kept.commit();
        return kept == null || commit == null
                ? List.of()
                : lines(key, kept.deliverySet(), name -> isSettled(kept, name), commit.sizeBytes());
    }

    /** Of a subscription that was removed the receipt tells what became of it. */
    private boolean isSettled(KeptTransfer kept, String subscription) {
        return !kept.owed().contains(subscription) && subscriptions.find(subscription) != null;
    }

    /** @param settled the subscriptions that need nothing more of it */
    private List<FarEndProgress> lines(
            TransferKey key, Collection<String> names, Predicate<String> settled, long sizeBytes) {
        return names.stream()
                .sorted()
                .limit(MOST_OF_EACH)
                .map(name -> new FarEndProgress(
                        key,
                        name,
                        settled.test(name) ? sizeBytes : ackedBytes(name, key),
                        subscriptions.isConnected(name)))
                .toList();
    }

    private long ackedBytes(String subscription, TransferKey key) {
        HopSender sender = subscriptions.sender(subscription, key);
        Optional<OutgoingTransferStatus> progress = sender == null ? Optional.empty() : sender.progress(key);
        return progress.map(OutgoingTransferStatus::ackedBytes).orElse(0L);
    }
}
