package io.hawser.broker.relay;

import io.hawser.core.hop.Refusal;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Receipts on their way from subscriptions to publishers: kept durably, then sent to the publisher if it is connected.
 *
 * <p>Thread: the relay's loop.
 */
public final class Receipts {
    private final RelayStore store;
    private final Subscriptions subscriptions;
    private final Publishers publishers;
    private final TransferCounts counts;
    private final LongSupplier epochMillis;
    private BiConsumer<NodeId, Receipt> notOwed = (consumer, receipt) -> {};

    Receipts(
            RelayStore store,
            Subscriptions subscriptions,
            Publishers publishers,
            TransferCounts counts,
            LongSupplier epochMillis) {
        this.store = store;
        this.subscriptions = subscriptions;
        this.publishers = publishers;
        this.counts = counts;
        this.epochMillis = epochMillis;
    }

    /**
     * Receipts may have come into being in the store, by a record that is not a receipt: their publishers get them if they are here.
     *
     * @param applied runs when the store's index has applied all that was durable when this was called
     */
    void made(Runnable applied) {
        store.receiptsMade(outcome -> {
            if (!outcome.isRefused()) {
                outcome.get().forEach(this::sendKept);
            }
            applied.run();
        });
    }

    private void sendKept(NodeId node) {
        PublisherIntake publisher = publishers.find(node);
        if (publisher != null) {
            publisher.sendKeptReceipts();
        }
    }

    void countExpired(TransferKey key) {
        store.lookup(key, outcome -> {
            KeptTransfer kept = outcome.isRefused() ? null : outcome.get().transfer();
            if (kept != null) {
                counts.receipt(kept.manifest().topic(), ReceiptStatus.EXPIRED);
            }
        });
    }

    /** Keeps what a subscription says; {@code durable} runs when it is kept. */
    void keep(Receipt receipt, Runnable durable) {
        store.append(new RelayRecord.ReceiptKept(receipt), outcome -> {
            if (outcome.isRefused()) {
                return;
            }
            durable.run();
            SubscriptionFeed feed = subscriptions.find(receipt.subscription());
            if (feed != null) {
                counts.receipt(feed.spec().topic(), receipt.status());
            }
            PublisherIntake publisher = publishers.find(receipt.key().publisher());
            if (publisher != null) {
                publisher.receipt(receipt);
            }
        });
    }

    void keepFailure(TransferKey key, String subscription, Refusal refusal) {
        keep(now(key, subscription, ReceiptStatus.FAILED, refusal.detail()), () -> {});
    }

    /** What is said to a publisher now. */
    Receipt now(TransferKey key, String subscription, ReceiptStatus status, String problem) {
        return new Receipt(key, subscription, status, problem, epochMillis.getAsLong());
    }

    /** Receives receipts from consumers whose subscription was never owed the transfer; they are not kept. */
    public void onNotOwed(BiConsumer<NodeId, Receipt> listener) {
        notOwed = listener;
    }

    void notOwed(NodeId consumer, Receipt receipt) {
        notOwed.accept(consumer, receipt);
    }
}
