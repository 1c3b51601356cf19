package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transfer as its publisher sees it at one moment.
 *
 * @param manifest what it is
 * @param phase how far it got
 * @param commit its commit, once there is one
 * @param durableBytes bytes that are durable here; for a file that is read in place, bytes whose digests are
 * @param brokeredBytes bytes that the next hop has said to be durable there
 * @param deliverySet subscriptions that "delivered" counts; empty until the commit is brokered, or until there is one
 * @param receipts the latest receipt of each subscription that sent one
 * @param refusal why it was refused or cancelled, once it was, or for now
 * @param source the file that is read in place, or null
 * @param contentKept whether its bytes can still be read here
 * @param idleMillis since bytes of it became durable here, or something was recorded of it, in this life of the node
 * @param waitsForSpace whether its upload waits for room in the spool
 * @param repeats whether it has the bytes of the upload before it so far, and is not sent, see {@code RepeatedFiles}
 * @param recall why it is to be cancelled though the next hop has it, or may have it; null if it is not
 * @param held whether an operator holds it here
 */
public record TransferSnapshot(
        Manifest manifest,
        SpoolPhase phase,
        @Nullable Commit commit,
        long durableBytes,
        long brokeredBytes,
        List<String> deliverySet,
        List<Receipt> receipts,
        @Nullable Refusal refusal,
        @Nullable SourceFingerprint source,
        boolean contentKept,
        long idleMillis,
        boolean waitsForSpace,
        boolean repeats,
        @Nullable String recall,
        boolean held) {
    /** What is told of a transfer that is no longer followed. */
    public static final String NOT_FOLLOWED =
            "too many transfers wait for their receipts, so this one is no longer followed here; ask the broker for it";

    public TransferSnapshot {
        deliverySet = List.copyOf(deliverySet);
        receipts = List.copyOf(receipts);
    }

    /** Whether its cancel is durable here, and the next hop or a far end has still to say what came of it. */
    public boolean isBeingCancelled() {
        return recall != null && !phase.isFinal();
    }

    public TransferKey key() {
        return manifest.key();
    }

    /** Whether it waits here for a right that the next hop has not found. */
    public boolean lacksRight() {
        Refusal why = refusal;
        return why != null && why.code() == ErrorCode.NOT_ALLOWED && !phase.isFinal() && phase != SpoolPhase.BROKERED;
    }

    /** Whether it has ended here without the final receipts of all that count. The next hop has it and delivers it. */
    public boolean isNoLongerFollowed() {
        return phase == SpoolPhase.FINISHED && !new DeliveryReceipts(deliverySet, receipts).isSettled();
    }

    /** The receipts that count: those of the delivery set, and all as long as there is none. */
    public List<Receipt> countedReceipts() {
        return deliverySet.isEmpty()
                ? receipts
                : receipts.stream()
                        .filter(receipt -> deliverySet.contains(receipt.subscription()))
                        .toList();
    }

    /** Whether each far end that has said something has said that it failed, or that it is a dead letter: it is at none of them. */
    public boolean isNowhere() {
        return isNowhere(receipts);
    }

    static boolean isNowhere(Collection<Receipt> receipts) {
        return !receipts.isEmpty()
                && receipts.stream()
                        .allMatch(receipt -> receipt.status() != ReceiptStatus.LANDED
                                && receipt.status() != ReceiptStatus.DELIVERED);
    }

    /** The size, from the commit or the manifest; {@link Manifest#UNKNOWN_SIZE} if neither knows. */
    public long sizeBytes() {
        return commit != null ? commit.sizeBytes() : manifest.sizeBytes();
    }
}
