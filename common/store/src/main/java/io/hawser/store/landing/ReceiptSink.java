package io.hawser.store.landing;

import io.hawser.core.model.Receipt;

/** Takes receipts on their way to the publisher. */
@FunctionalInterface
public interface ReceiptSink {
    /**
     * A transfer reached its end here, durably; or ({@code LANDED}) it is durable and its target lets it wait. The receipt is
     * announced again by {@link LandingArea#pendingReceipts()}: a final one until {@link LandingArea#receiptAcked}, the other
     * until the final one.
     *
     * <p>Thread: the landing area's loop.
     */
    void receipt(Receipt receipt);
}
