package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many transfers are open at the receiver at once, and queues the others. A complete transfer with no predecessor by path can
 * always finish, so it may take any slot. The others (still arriving, or waiting for a predecessor) get half of them: they could otherwise
 * lock out the transfer that they wait for.
 *
 * <p>Thread: the sender's loop.
 */
final class OpenTransferSlots {
    private final int slots;
    private final LinkedHashMap<TransferKey, OutgoingTransfer> waitingToFinish = new LinkedHashMap<>();
    private final LinkedHashMap<TransferKey, OutgoingTransfer> waitingUnfinished = new LinkedHashMap<>();
    private int taken;

    OpenTransferSlots(int slots) {
        this.slots = slots;
    }

    /** Takes a slot. If none is free the transfer waits until {@link #next} returns it. */
    boolean take(OutgoingTransfer transfer, boolean canFinish) {
        forget(transfer);
        if (taken < (canFinish ? slots : slotsForUnfinished())) {
            taken++;
            return true;
        }
        (canFinish ? waitingToFinish : waitingUnfinished).put(transfer.key(), transfer);
        return false;
    }

    void giveBack() {
        taken--;
    }

    /** The transfer no longer waits. */
    void forget(OutgoingTransfer transfer) {
        waitingToFinish.remove(transfer.key());
        waitingUnfinished.remove(transfer.key());
    }

    /** Removes and returns a waiting transfer that may take a slot now; null if there is none. */
    @Nullable
    OutgoingTransfer next() {
        if (taken < slots && !waitingToFinish.isEmpty()) {
            return removeFirst(waitingToFinish);
        }
        return taken < slotsForUnfinished() && !waitingUnfinished.isEmpty() ? removeFirst(waitingUnfinished) : null;
    }

    /** The session is over: all slots are free and no transfer waits. */
    void clear() {
        taken = 0;
        waitingToFinish.clear();
        waitingUnfinished.clear();
    }

    private int slotsForUnfinished() {
        return Math.max(1, slots / 2);
    }

    private static OutgoingTransfer removeFirst(Map<TransferKey, OutgoingTransfer> waiting) {
        OutgoingTransfer first = waiting.values().iterator().next();
        waiting.remove(first.key());
        return first;
    }
}
