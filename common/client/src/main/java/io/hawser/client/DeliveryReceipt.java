package io.hawser.client;

import io.hawser.core.model.Receipt;
import java.time.Instant;

/**
 * A far end's latest statement about a transfer.
 *
 * @param subscription the subscription that makes it
 * @param status how far the transfer got there
 * @param reason why it failed, expired or is a dead letter; empty otherwise
 * @param time when, by the far end's clock
 */
public record DeliveryReceipt(String subscription, Status status, String reason, Instant time) {
    /** How far a transfer got at a far end. */
    public enum Status {
        /** Complete, verified and durable, not yet published. */
        LANDED,
        /** Published: visible at its target, or acknowledged by the receiving program. */
        DELIVERED,
        /** It will not be delivered. */
        FAILED,
        /** It was not delivered before its deadline. */
        EXPIRED,
        /** It was cancelled before it was delivered. */
        CANCELLED,
        /** Durable there, but its target refused it; an operator retries or drops it. */
        DEAD_LETTER
    }

    static DeliveryReceipt of(Receipt receipt) {
        return new DeliveryReceipt(
                receipt.subscription(),
                switch (receipt.status()) {
                    case LANDED -> Status.LANDED;
                    case DELIVERED -> Status.DELIVERED;
                    case FAILED -> Status.FAILED;
                    case EXPIRED -> Status.EXPIRED;
                    case CANCELLED -> Status.CANCELLED;
                    case DEAD -> Status.DEAD_LETTER;
                },
                receipt.problem(),
                Instant.ofEpochMilli(receipt.epochMillis()));
    }
}
