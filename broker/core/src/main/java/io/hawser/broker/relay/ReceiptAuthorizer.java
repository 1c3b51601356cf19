package io.hawser.broker.relay;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether a consumer may report the outcome of a transfer: only if its subscription was owed it. It remembers what was sent
 * recently, and asks the store about the rest.
 *
 * <p>Thread: the relay's loop.
 */
final class ReceiptAuthorizer {
    static final int MOST_LATELY = 4096;
    /** What receipts may take that wait for the store's answer. Others are not acknowledged, so they come again in the next session. */
    static final int MOST_WAITING_BYTES = 4 << 20;

    private static final int RECEIPT_BYTES = 256;

    private final RelayStore store;
    /** Transfers that the consumer has, and of which a final receipt has yet to come. */
    private final Set<TransferKey> lately = EvictingMap.newSet(MOST_LATELY);
    /** Transfers that the store is asked about, with the number of receipts: they keep their order. */
    private final Map<TransferKey, Integer> asked = new HashMap<>();
    /** Those of which a final receipt waits for the answer. */
    private final Set<TransferKey> ending = new HashSet<>();

    private int waitingBytes;

    ReceiptAuthorizer(RelayStore store) {
        this.store = store;
    }

    /**
     * What follows from the answer; one of the three runs.
     *
     * @param owed the subscription was owed the transfer
     * @param over the transfer is over, or not known (any more)
     * @param neverOwed the transfer is here and the subscription was never owed it
     */
    record Answer(Runnable owed, Runnable over, Runnable neverOwed) {}

    /** The consumer has all of that transfer; it will say how it ended. */
    void settled(TransferKey key) {
        lately.add(key);
    }

    /** Whether a final receipt of that transfer waits for the store's answer: if the subscription is owed it, that settles it. */
    boolean isEnding(TransferKey key) {
        return ending.contains(key);
    }

    /**
     * Asks about a receipt.
     *
     * @param spec the consumer's subscription
     * @param fed whether the transfer is committed and being sent to it
     */
    void check(Receipt receipt, SubscriptionSpec spec, boolean fed, Answer answer) {
        TransferKey key = receipt.key();
        boolean known = fed || (receipt.status().isFinal() ? lately.remove(key) : lately.contains(key));
        if (known && !asked.containsKey(key)) {
            answer.owed.run();
            return;
        }
        int bytes = RECEIPT_BYTES + 2 * receipt.reason().length();
        if (waitingBytes + bytes > MOST_WAITING_BYTES) {
            return;
        }
        waitingBytes += bytes;
        asked.merge(key, 1, Integer::sum);
        if (receipt.status().isFinal()) {
            ending.add(key);
        }
        store.lookup(key, outcome -> {
            waitingBytes -= bytes;
            if (receipt.status().isFinal()) {
                ending.remove(key);
            }
            asked.computeIfPresent(key, (unused, count) -> count == 1 ? null : count - 1);
            answer(outcome, spec, known, answer);
        });
    }

    private static void answer(
            Outcome<RelayStore.Lookup> outcome, SubscriptionSpec spec, boolean known, Answer answer) {
        if (outcome.isRefused()) {
            return; // the store has failed; the node is stopping
        }
        KeptTransfer kept = outcome.get().transfer();
        if (kept == null) {
            answer.over.run();
        } else if (known || wasOwed(kept, spec)) {
            answer.owed.run();
        } else {
            answer.neverOwed.run();
        }
    }

    /** A subscription that began at the earliest that is kept may have been owed what has another delivery set. */
    private static boolean wasOwed(KeptTransfer kept, SubscriptionSpec spec) {
        return kept.commit() != null
                && kept.manifest().topic().equals(spec.topic())
                && (kept.deliverySet().contains(spec.name())
                        || kept.owed().contains(spec.name())
                        || spec.startAt() == StartAt.EARLIEST);
    }
}
