package io.hawser.agenta.custody;

import io.hawser.common.model.Receipt;
import io.hawser.common.model.ReceiptStatus;
import io.hawser.common.spool.SpoolPhase;
import io.hawser.common.spool.TransferState;
import java.util.List;
import java.util.Optional;

/**
 * How far a transfer came, in custody levels. Where several subscriptions are to have it, the last one counts.
 *
 * <p>Pure; thread: immutable.
 *
 * @param reached the highest level, or empty while it comes in
 * @param failure why it will not get further, or empty
 */
public record CustodyState(Optional<CustodyLevel> reached, Optional<String> failure) {
    /** What a transfer's state says. */
    public static CustodyState of(TransferState state) {
        return new CustodyState(reachedBy(state), failureOf(state));
    }

    /** Whether that level is reached. */
    public boolean has(CustodyLevel level) {
        return reached.filter(current -> current.compareTo(level) >= 0).isPresent();
    }

    private static Optional<CustodyLevel> reachedBy(TransferState state) {
        if (state.commit() == null || state.phase() == SpoolPhase.RECEIVING || state.phase() == SpoolPhase.INCOMPLETE) {
            return Optional.empty();
        }
        List<ReceiptStatus> words = words(state);
        if (!words.isEmpty() && words.stream().allMatch(ReceiptStatus.DELIVERED::equals)) {
            return Optional.of(CustodyLevel.DELIVERED);
        }
        if (!words.isEmpty()
                && words.stream().allMatch(w -> w == ReceiptStatus.LANDED || w == ReceiptStatus.DELIVERED)) {
            return Optional.of(CustodyLevel.LANDED);
        }
        boolean brokered = state.phase() == SpoolPhase.BROKERED || state.phase() == SpoolPhase.FINISHED;
        return Optional.of(brokered ? CustodyLevel.BROKERED : CustodyLevel.SPOOLED);
    }

    /** What everybody who counts has said; empty while somebody has said nothing. */
    private static List<ReceiptStatus> words(TransferState state) {
        List<Receipt> counted = state.countedReceipts();
        return counted.size() < state.deliverySet().size()
                ? List.of()
                : counted.stream().map(Receipt::status).toList();
    }

    private static Optional<String> failureOf(TransferState state) {
        if (state.phase() == SpoolPhase.CANCELLED || state.phase() == SpoolPhase.REFUSED) {
            return Optional.of(
                    state.refusal() == null
                            ? "it was cancelled"
                            : state.refusal().detail());
        }
        return state.countedReceipts().stream()
                .filter(receipt ->
                        receipt.status() == ReceiptStatus.FAILED || receipt.status() == ReceiptStatus.EXPIRED)
                .findFirst()
                .map(Receipt::complaint);
    }
}
