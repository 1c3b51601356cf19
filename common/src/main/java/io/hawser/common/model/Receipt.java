package io.hawser.common.model;

/**
 * The far end's statement about a transfer, carried back to its publisher.
 *
 * @param key the transfer
 * @param subscription the subscription that speaks
 * @param status how far it got there
 * @param reason why it failed or expired; empty otherwise
 * @param epochMillis when, by the far end's clock
 */
public record Receipt(TransferKey key, String subscription, ReceiptStatus status, String reason, long epochMillis) {
    /** Stands for the subscription where none has come for a transfer until it expired. No subscription can be called so. */
    public static final String NOBODY = "(nobody)";

    /** Why it failed or expired, and who says so. */
    public String complaint() {
        return subscription.equals(NOBODY) ? reason : subscription + ": " + reason;
    }
}
