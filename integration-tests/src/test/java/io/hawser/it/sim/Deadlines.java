package io.hawser.it.sim;

import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.InvariantName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has passed the deadline of a subscription: it is given up for that one, no sooner, and nothing else is. */
final class Deadlines {
    private record Owed(TransferKey key, String subscription) {}

    private final SimChain chain;
    private final Map<TransferKey, Long> finishedMillis = new HashMap<>();
    private final Set<Owed> overdue = new HashSet<>();
    private final Set<Owed> expired = new HashSet<>();

    Deadlines(SimChain chain) {
        this.chain = chain;
    }

    /** Its client has said that this is all: it is committed later than that. */
    void finishing(TransferKey key) {
        finishedMillis.putIfAbsent(key, chain.broker.wallMillis());
    }

    /** The broker's store says that these are overdue. */
    void overdue(String subscription, long committedBeforeMillis, List<TransferKey> keys) {
        for (TransferKey key : keys) {
            Invariants.check(
                    finishedMillis.getOrDefault(key, Long.MAX_VALUE) <= committedBeforeMillis,
                    InvariantName.NO_FORGET,
                    "a transfer is called overdue at " + subscription + " before its deadline",
                    key);
            overdue.add(new Owed(key, subscription));
        }
    }

    /** The broker writes down a receipt. */
    void kept(Receipt receipt) {
        if (receipt.status() == ReceiptStatus.EXPIRED && !receipt.subscription().equals(Receipt.NOBODY)) {
            Invariants.check(
                    isOverdue(receipt.key(), receipt.subscription()),
                    InvariantName.NO_FORGET,
                    "a transfer expires that is not overdue",
                    receipt);
            expired.add(new Owed(receipt.key(), receipt.subscription()));
            chain.count(Fault.TRANSFER_EXPIRED);
        } else if (receipt.status() == ReceiptStatus.DELIVERED && isOverdue(receipt.key(), receipt.subscription())) {
            chain.count(Fault.OVERDUE_AND_DELIVERED);
        }
    }

    boolean isOverdue(TransferKey key, String subscription) {
        return overdue.contains(new Owed(key, subscription));
    }

    /** Whether the subscription is no longer owed it. It may have it all the same: its consumer was away, or got it at that moment. */
    boolean hasExpired(TransferKey key, String subscription) {
        return expired.contains(new Owed(key, subscription));
    }
}
