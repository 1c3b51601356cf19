package io.hawser.client;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Cancels a transfer, and follows it until it is certain what came of that at each far end.
 *
 * <p>Thread: the client's loop; the future completes on the callback thread.
 */
final class Cancellation {
    private final Spool spool;
    private final TransferId id;
    private final CompletableFuture<TransferId> result;
    private final Executor callbacks;
    private Runnable observed = () -> {};
    private boolean over;

    Cancellation(Spool spool, TransferId id, CompletableFuture<TransferId> result, Executor callbacks) {
        this.spool = spool;
        this.id = id;
        this.result = result;
        this.callbacks = callbacks;
    }

    void begin(String reason) {
        TransferKey key = id.key();
        spool.recall(key, reason, outcome -> {
            Refusal refusal = outcome.refusal();
            Optional<TransferSnapshot> state = spool.state(key);
            if (refusal != null
                    && !state.map(TransferSnapshot::phase)
                            .filter(SpoolPhase::isFinal)
                            .isPresent()) {
                fail(new HawserException(refusal));
            } else if (state.isEmpty()) {
                succeed();
            } else {
                observed = spool.observe(key, this::judge);
            }
        });
    }

    private void judge(TransferSnapshot state) {
        if (over) {
            return;
        }
        switch (state.phase()) {
            case CANCELLED, REFUSED -> succeed();
            case FINISHED -> judgeEnd(state);
            case RECEIVING, INCOMPLETE, SPOOLED, BROKERED -> {}
        }
    }

    private void judgeEnd(TransferSnapshot state) {
        List<String> delivered = state.receipts().stream()
                .filter(receipt -> receipt.status() == ReceiptStatus.DELIVERED)
                .map(Receipt::subscription)
                .toList();
        if (!delivered.isEmpty()) {
            fail(new HawserException(
                    HawserException.Reason.NOT_FOUND,
                    "it was too late to cancel the transfer: it is delivered at " + String.join(", ", delivered)));
        } else if (state.isNoLongerFollowed()) {
            fail(new HawserException(HawserException.Reason.NOT_FOLLOWED, TransferSnapshot.NOT_FOLLOWED));
        } else {
            succeed();
        }
    }

    private void succeed() {
        over = true;
        observed.run();
        callbacks.execute(() -> result.complete(id));
    }

    private void fail(HawserException cause) {
        over = true;
        observed.run();
        callbacks.execute(() -> result.completeExceptionally(cause));
    }
}
