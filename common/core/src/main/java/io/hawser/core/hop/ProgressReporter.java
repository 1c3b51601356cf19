package io.hawser.core.hop;

import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers a sender's {@link HopMessage.AskProgress}, one at a time: one that comes earlier is not answered, because the sender asks again
 * anyway. Nothing is answered either while the sender does not read.
 *
 * <p>Thread: the receiver's loop.
 */
final class ProgressReporter {
    private final ReceiverStore store;
    private final HopLink link;
    private final SenderAllowance allowance;
    private final List<FarEndProgress> lines = new ArrayList<>();
    /** Transfers of the current question whose far ends the store has yet to tell. */
    private int pending;

    private boolean linkLost;

    ProgressReporter(ReceiverStore store, HopLink link, SenderAllowance allowance) {
        this.store = store;
        this.link = link;
        this.allowance = allowance;
    }

    /** {@code keys} are the sender's own. */
    void answer(List<TransferKey> keys) {
        if (pending > 0 || keys.isEmpty() || link.isBackedUp()) {
            allowance.refused(1);
            return;
        }
        keys.forEach(key -> allowance.messageReceived()); // each costs a look-up
        pending = keys.size();
        for (TransferKey key : keys) {
            store.farEnds(key, outcome -> {
                if (!outcome.isRefused()) {
                    lines.addAll(outcome.get());
                }
                if (--pending == 0) {
                    send();
                }
            });
        }
    }

    private void send() {
        if (!linkLost) {
            link.send(
                    new HopMessage.Progress(lines.subList(0, Math.min(lines.size(), HopMessage.Progress.MOST_LINES))));
        }
        lines.clear();
    }

    void linkDown() {
        linkLost = true;
    }
}
