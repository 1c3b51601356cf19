package io.hawser.send;

import io.hawser.client.FarEnd;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds up how far the transfers of a run are at each far end, and asks the broker about the first ones that are not through.
 *
 * <p>Thread: main only.
 */
final class FarEndTotals {
    /** So many unfinished transfers are looked at each time: far ends take them about in this order. */
    private static final int MAX_LOOKED_AT = 4096;
    /** So many the broker is asked about: each costs it a look-up. */
    private static final int MAX_ASKED = 16;

    private final List<SentTransfer> open = new ArrayList<>();
    private final Map<String, Sum> ended = new TreeMap<>();

    /**
     * What one far end has.
     *
     * @param bytes durable there
     * @param delivered objects that it has published
     * @param away whether it is owed something and not connected
     */
    record Sum(long bytes, long delivered, boolean away) {
        private static final Sum NONE = new Sum(0, 0, false);

        private Sum plus(FarEnd farEnd) {
            return new Sum(
                    bytes + farEnd.durableBytes(),
                    delivered + (farEnd.state() == FarEnd.State.DELIVERED ? 1 : 0),
                    away || farEnd.state() == FarEnd.State.AWAY);
        }
    }

    void add(SentTransfer transfer) {
        open.add(transfer);
    }

    /** Asks the broker, and returns the sums as of its last answers, by subscription. */
    Map<String, Sum> update(HawserClient client) {
        Map<String, Sum> now = new TreeMap<>();
        List<SentTransfer> asked = new ArrayList<>();
        open.subList(0, Math.min(open.size(), MAX_LOOKED_AT)).removeIf(transfer -> isSettled(transfer, now, asked));
        if (!asked.isEmpty()) {
            client.askFarEnds(asked);
        }
        ended.forEach((name, sum) -> now.merge(
                name,
                sum,
                (one, other) -> new Sum(one.bytes + other.bytes, one.delivered + other.delivered, one.away)));
        return now;
    }

    /** Adds what it has to a sum, and itself to those that are asked about if it is not through. */
    private boolean isSettled(SentTransfer transfer, Map<String, Sum> now, List<SentTransfer> asked) {
        List<FarEnd> farEnds = transfer.farEnds();
        boolean settled = transfer.brokered().isDone()
                && !farEnds.isEmpty()
                && farEnds.stream().allMatch(FarEnd::isFinal);
        farEnds.forEach(each -> add(settled ? ended : now, each));
        if (settled || transfer.brokered().isCompletedExceptionally()) {
            return true;
        }
        if (asked.size() < MAX_ASKED && transfer.progress().brokeredBytes() > 0) {
            asked.add(transfer);
        }
        return false;
    }

    private static void add(Map<String, Sum> sums, FarEnd farEnd) {
        sums.merge(farEnd.subscription(), Sum.NONE.plus(farEnd), (one, other) -> one.plus(farEnd));
    }
}
