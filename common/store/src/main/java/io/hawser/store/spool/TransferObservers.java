package io.hawser.store.spool;

import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The observers of each transfer.
 *
 * <p>Thread: the loop.
 */
final class TransferObservers {
    /** The lists do not change: an observer that is told may add and remove some. */
    private final Map<TransferId, List<Consumer<TransferSnapshot>>> byId = new HashMap<>();

    private BiConsumer<TransferSnapshot, Receipt> onFailure = (state, receipt) -> {};

    /** Receives each accepted transfer that failed, with the receipt that says so. */
    void onFailure(BiConsumer<TransferSnapshot, Receipt> observer) {
        onFailure = observer;
    }

    void failed(SpoolTransfer transfer, Receipt receipt) {
        onFailure.accept(transfer.snapshot(), receipt);
    }

    void add(TransferKey key, Consumer<TransferSnapshot> observer) {
        byId.merge(key.id(), List.of(observer), (known, more) -> Stream.concat(known.stream(), more.stream())
                .toList());
    }

    /** That one has heard enough. */
    void remove(TransferKey key, Consumer<TransferSnapshot> observer) {
        byId.computeIfPresent(key.id(), (id, interested) -> {
            List<Consumer<TransferSnapshot>> others =
                    interested.stream().filter(each -> each != observer).toList();
            return others.isEmpty() ? null : others;
        });
    }

    /** Passes on the new state, and removes the observers that have received the last one. */
    void changed(SpoolTransfer transfer) {
        TransferId id = transfer.key().id();
        List<Consumer<TransferSnapshot>> interested = byId.get(id);
        if (interested == null) {
            return;
        }
        TransferSnapshot state = transfer.snapshot();
        if (state.phase().isFinal()) {
            byId.remove(id);
        }
        interested.forEach(observer -> observer.accept(state));
    }
}
