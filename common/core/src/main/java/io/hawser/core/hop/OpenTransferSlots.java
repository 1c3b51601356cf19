package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limited number of transfers that may be open at the receiver at once, and the transfers that wait for a slot. A committed
 * transfer with none before it by path can always finish, so it may take any slot. The others (still coming in, or waiting for
 * another) get half of them: they could otherwise lock out the very transfer that they wait for.
 *
 * <p>Thread: the sender's loop.
 */
final class OpenTransferSlots {
    private final int places;
    private final LinkedHashMap<TransferKey, OutgoingTransfer> waitingToFinish = new LinkedHashMap<>();
    private final LinkedHashMap<TransferKey, OutgoingTransfer> waitingUnfinished = new LinkedHashMap<>();
    private int taken;

    OpenTransferSlots(int places) {
        this.places = places;
    }

    /** Takes a place. If there is none the transfer waits until {@link #next} gives it back for another try. */
    boolean take(OutgoingTransfer transfer, boolean canFinish) {
        forget(transfer);
        if (taken < (canFinish ? places : placesForUnfinished())) {
            taken++;
            return true;
        }
        (canFinish ? waitingToFinish : waitingUnfinished).put(transfer.key(), transfer);
        return false;
    }

    /** A place is free again. */
    void giveBack() {
        taken--;
    }

    /** The transfer does not wait any more. */
    void forget(OutgoingTransfer transfer) {
        waitingToFinish.remove(transfer.key());
        waitingUnfinished.remove(transfer.key());
    }

    /** Somebody who waits and may try now, or null. It does not wait any more. */
    @Nullable
    OutgoingTransfer next() {
        if (taken < places && !waitingToFinish.isEmpty()) {
            return removeFirst(waitingToFinish);
        }
        return taken < placesForUnfinished() && !waitingUnfinished.isEmpty() ? removeFirst(waitingUnfinished) : null;
    }

    /** The session is over: all places are free, nobody waits. */
    void clear() {
        taken = 0;
        waitingToFinish.clear();
        waitingUnfinished.clear();
    }

    private int placesForUnfinished() {
        return Math.max(1, places / 2);
    }

    private static OutgoingTransfer removeFirst(Map<TransferKey, OutgoingTransfer> waiting) {
        OutgoingTransfer first = waiting.values().iterator().next();
        waiting.remove(first.key());
        return first;
    }
}
