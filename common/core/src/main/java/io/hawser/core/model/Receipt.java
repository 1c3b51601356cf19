package io.hawser.core.model;

/**
 * A far end's final word on a transfer, carried back to its publisher.
 *
 * @param key the transfer
 * @param subscription the subscription that speaks
 * @param status how far it got there
 * @param reason why it failed, expired or is a dead letter; of a subscription that several share, {@link #byMember who of them} says so; empty otherwise
 * @param epochMillis when, by the far end's clock
 */
public record Receipt(TransferKey key, String subscription, ReceiptStatus status, String reason, long epochMillis) {
    /** Stands for the subscription where none has come for a transfer until it expired. No subscription can be called so. */
    public static final String NOBODY = "(nobody)";

    private static final String MEMBER = "member ";

    /** The same as the word of one of several that share the subscription. */
    public Receipt byMember(String member) {
        return new Receipt(
                key, subscription, status, MEMBER + member + (reason.isEmpty() ? "" : ": " + reason), epochMillis);
    }

    /** What is wrong there; empty if nothing is. */
    public String problem() {
        boolean namesOnlyWho = reason.startsWith(MEMBER) && !reason.contains(": ");
        return namesOnlyWho ? "" : reason;
    }

    /** The reason without the full stop at its end, for a sentence that goes on. */
    public String phrase() {
        return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
    }

    /** Why it failed, expired or is a dead letter, and who says so. */
    public String complaint() {
        if (subscription.equals(NOBODY)) {
            return reason;
        }
        return subscription + ": " + (status == ReceiptStatus.DEAD ? "on its dead-letter list: " + phrase() : reason);
    }
}
