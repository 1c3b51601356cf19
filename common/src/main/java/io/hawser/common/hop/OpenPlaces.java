package io.hawser.common.hop;

import io.hawser.common.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places among the transfers that are open at the receiver at once, and who waits for one. A transfer that is committed
 * and has nobody before it by path can always finish, so it may have any place. The others (still coming in, or waiting for
 * another) get half of them: they could otherwise lock out the very transfer that they wait for.
 *
 * <p>Thread: the sender's loop.
 */
final class OpenPlaces {
    private final int places;
    private final LinkedHashMap<TransferKey, Outgoing> waitingToFinish = new LinkedHashMap<>();
    private final LinkedHashMap<TransferKey, Outgoing> waitingUnfinished = new LinkedHashMap<>();
    private int taken;

    OpenPlaces(int places) {
        this.places = places;
    }

    /** Takes a place. If there is none the transfer waits until {@link #next} gives it back for another try. */
    boolean take(Outgoing transfer, boolean canFinish) {
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
    void forget(Outgoing transfer) {
        waitingToFinish.remove(transfer.key());
        waitingUnfinished.remove(transfer.key());
    }

    /** Somebody who waits and may try now, or null. It does not wait any more. */
    @Nullable
    Outgoing next() {
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

    private static Outgoing removeFirst(Map<TransferKey, Outgoing> waiting) {
        Outgoing first = waiting.values().iterator().next();
        waiting.remove(first.key());
        return first;
    }
}
