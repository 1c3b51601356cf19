package io.hawser.store.event;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened to a transfer, durably.
 *
 * @param type what
 * @param key the transfer
 * @param manifest what it is, or null if the store no longer knows
 * @param commit its commit, or null if it has none or the store no longer knows
 * @param subscription the far end that it is about; empty if none
 * @param reason why, of what is not a success; else empty
 * @param epochMillis when, milliseconds since the epoch
 * @param ends whether nothing more is expected of the transfer at this node
 * @param cause the record that says so
 */
public record TransferEvent(
        EventType type,
        TransferKey key,
        @Nullable Manifest manifest,
        @Nullable Commit commit,
        String subscription,
        String reason,
        long epochMillis,
        boolean ends,
        Cause cause) {
    /** What a receipt tells of. */
    public static EventType typeOf(ReceiptStatus status) {
        return switch (status) {
            case LANDED -> EventType.LANDED;
            case DELIVERED -> EventType.DELIVERED;
            case FAILED -> EventType.FAILED;
            case EXPIRED -> EventType.EXPIRED;
            case CANCELLED -> EventType.CANCELLED;
            case DEAD -> EventType.DEAD_LETTERED;
        };
    }

    /**
     * A receipt as an event. One that may come more than once has the time that the far end gave it, so that it is known again; any other
     * that of this node.
     *
     * @param epochMillis the time here
     */
    public static TransferEvent of(
            Receipt receipt,
            @Nullable Manifest manifest,
            @Nullable Commit commit,
            long epochMillis,
            boolean ends,
            Cause cause) {
        return new TransferEvent(
                typeOf(receipt.status()),
                receipt.key(),
                manifest,
                commit,
                receipt.subscription(),
                receipt.reason(),
                receipt.status().isFinal() ? epochMillis : receipt.epochMillis(),
                ends,
                cause);
    }
}
