package io.hawser.core.model;

/**
 * A consumer's report on a transfer, sent back to its publisher.
 *
 * @param key the transfer
 * @param subscription the consumer's subscription
 * @param status the transfer's status there
 * @param reason why it failed, expired or is a dead letter, after the {@link #byMember member} of a group; empty otherwise
 * @param epochMillis when, by the consumer's clock
 */
public record Receipt(TransferKey key, String subscription, ReceiptStatus status, String reason, long epochMillis) {
    /** The subscription of a transfer that expired before any subscription existed. It is no valid name of one. */
    public static final String NOBODY = "(nobody)";

    private static final String MEMBER = "member ";

    /** This receipt as reported by a member of a group. */
    public Receipt byMember(String member) {
        return new Receipt(
                key, subscription, status, MEMBER + member + (reason.isEmpty() ? "" : ": " + reason), epochMillis);
    }

    /** The same of another transfer. */
    public Receipt of(TransferKey other) {
        return new Receipt(other, subscription, status, reason, epochMillis);
    }

    /** The same with another reason. */
    public Receipt withReason(String text) {
        return reason.equals(text) ? this : new Receipt(key, subscription, status, text, epochMillis);
    }

    /** The reason without a group's member alone: empty if nothing is wrong. */
    public String problem() {
        boolean namesOnlyMember = reason.startsWith(MEMBER) && !reason.contains(": ");
        return namesOnlyMember ? "" : reason;
    }

    /** The reason without a full stop at its end, for use within a sentence. */
    public String phrase() {
        return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
    }

    /** The subscription, and why the transfer failed, expired or is a dead letter there. */
    public String complaint() {
        if (subscription.equals(NOBODY)) {
            return reason;
        }
        return subscription + ": " + (status == ReceiptStatus.DEAD ? "on its dead-letter list: " + phrase() : reason);
    }
}
