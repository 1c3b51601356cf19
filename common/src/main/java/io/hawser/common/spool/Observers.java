package io.hawser.common.spool;

import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Who wants to hear of which transfer.
 *
 * <p>Thread: the loop.
 */
final class Observers {
    private final Map<TransferId, List<Consumer<TransferState>>> byId = new HashMap<>();

    void add(TransferKey key, Consumer<TransferState> observer) {
        byId.computeIfAbsent(key.id(), id -> new ArrayList<>(1)).add(observer);
    }

    /** That one has heard enough. */
    void remove(TransferKey key, Consumer<TransferState> observer) {
        byId.computeIfPresent(key.id(), (id, interested) -> {
            interested.remove(observer);
            return interested.isEmpty() ? null : interested;
        });
    }

    /** Tells the new state, and forgets who heard the last one. */
    void changed(SpoolTransfer transfer) {
        TransferId id = transfer.key().id();
        List<Consumer<TransferState>> interested = byId.get(id);
        if (interested == null) {
            return;
        }
        TransferState state = transfer.snapshot();
        if (state.phase().isFinal()) {
            byId.remove(id);
        }
        List.copyOf(interested).forEach(observer -> observer.accept(state));
    }
}
