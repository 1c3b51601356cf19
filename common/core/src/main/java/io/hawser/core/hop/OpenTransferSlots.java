package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many transfers are open at the receiver at once, and queues the others. A complete transfer with no predecessor by path can
 * always finish, so it may take any slot. The others (still arriving, or waiting for a predecessor) get half of them: they could otherwise
 * lock out the transfer that they wait for. A predecessor may also come after them, such as one whose copy at the receiver is damaged: if
 * none of those that hold a slot can finish, one that can gets a slot beyond the limit.
 *
 * <p>Thread: the sender's loop.
 */
final class OpenTransferSlots {
    private final int slots;
    private final LinkedHashMap<TransferKey, OutgoingTransfer> waitingToFinish = new LinkedHashMap<>();
    private final LinkedHashMap<TransferKey, OutgoingTransfer> waitingUnfinished = new LinkedHashMap<>();
    private final Map<TransferKey, OutgoingTransfer> holders = new HashMap<>();
    /** How many of those that wait have a priority of their own: usually none has. */
    private int unusual;

    private final Predicate<OutgoingTransfer> canFinish;

    /** @param canFinish whether a transfer is complete and waits for no other */
    OpenTransferSlots(int slots, Predicate<OutgoingTransfer> canFinish) {
        this.slots = slots;
        this.canFinish = canFinish;
    }

    /** Takes a slot. If none is free the transfer waits until {@link #next} returns it. */
    boolean take(OutgoingTransfer transfer) {
        forget(transfer);
        boolean finishes = canFinish.test(transfer);
        if (holders.size() < (finishes ? slots : slotsForUnfinished()) || (finishes && holdersAllWait())) {
            holders.put(transfer.key(), transfer);
            return true;
        }
        (finishes ? waitingToFinish : waitingUnfinished).put(transfer.key(), transfer);
        unusual += transfer.priority == OutgoingTransfer.USUAL_PRIORITY ? 0 : 1;
        return false;
    }

    private boolean holdersAllWait() {
        return holders.values().stream().noneMatch(canFinish);
    }

    void giveBack(OutgoingTransfer transfer) {
        holders.remove(transfer.key());
    }

    /** The transfer no longer waits. */
    void forget(OutgoingTransfer transfer) {
        boolean waited = waitingToFinish.remove(transfer.key()) != null;
        waited |= waitingUnfinished.remove(transfer.key()) != null;
        unusual -= waited && transfer.priority != OutgoingTransfer.USUAL_PRIORITY ? 1 : 0;
    }

    /** Removes and returns a waiting transfer that may take a slot now; null if there is none. */
    @Nullable
    OutgoingTransfer next() {
        if (holders.size() < slots && !waitingToFinish.isEmpty()) {
            return removeFirst(waitingToFinish);
        }
        return holders.size() < slotsForUnfinished() && !waitingUnfinished.isEmpty()
                ? removeFirst(waitingUnfinished)
                : null;
    }

    /** The session is over: all slots are free and no transfer waits. */
    void clear() {
        holders.clear();
        waitingToFinish.clear();
        waitingUnfinished.clear();
        unusual = 0;
    }

    private int slotsForUnfinished() {
        return Math.max(1, slots / 2);
    }

    private OutgoingTransfer removeFirst(Map<TransferKey, OutgoingTransfer> waiting) {
        OutgoingTransfer first = waiting.values().iterator().next();
        if (unusual > 0) {
            for (OutgoingTransfer each : waiting.values()) {
                first = each.priority > first.priority ? each : first;
            }
        }
        forget(first);
        return first;
    }
}
