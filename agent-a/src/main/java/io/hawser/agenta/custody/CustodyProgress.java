package io.hawser.agenta.custody;

import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Optional;

/**
 * The custody level that a transfer has reached, and why it gets no further if it has failed or needs help. Where several subscriptions are to have it, the rule says how many count.
 *
 * <p>Pure; thread: immutable.
 *
 * @param reached the highest level, or empty while it comes in
 * @param failure why it will not get further, at least not without a further right, or empty
 * @param dead why it will not be delivered until a person at the far end helps, if it has not failed; or empty
 */
public record CustodyProgress(Optional<CustodyLevel> reached, Optional<String> failure, Optional<String> dead) {
    public static CustodyProgress of(TransferSnapshot state, CompletionRule rule) {
        Optional<String> failure = failureOf(state, rule);
        Optional<String> dead =
                failure.isPresent() ? Optional.empty() : rule.impasse(state.deliverySet(), state.countedReceipts());
        return new CustodyProgress(reachedBy(state, rule), failure, dead);
    }

    public boolean has(CustodyLevel level) {
        return reached.filter(current -> current.compareTo(level) >= 0).isPresent();
    }

    private static Optional<CustodyLevel> reachedBy(TransferSnapshot state, CompletionRule rule) {
        if (state.commit() == null || state.phase() == SpoolPhase.RECEIVING || state.phase() == SpoolPhase.INCOMPLETE) {
            return Optional.empty();
        }
        if (rule.isMet(state.deliverySet(), state.countedReceipts(), ReceiptStatus.DELIVERED)) {
            return Optional.of(CustodyLevel.DELIVERED);
        }
        if (rule.isMet(state.deliverySet(), state.countedReceipts(), ReceiptStatus.LANDED)) {
            return Optional.of(CustodyLevel.LANDED);
        }
        boolean brokered = state.phase() == SpoolPhase.BROKERED || state.phase() == SpoolPhase.FINISHED;
        return Optional.of(brokered ? CustodyLevel.BROKERED : CustodyLevel.SPOOLED);
    }

    private static Optional<String> failureOf(TransferSnapshot state, CompletionRule rule) {
        if (state.phase() == SpoolPhase.CANCELLED || state.phase() == SpoolPhase.REFUSED || state.lacksRight()) {
            return Optional.of(
                    state.refusal() == null
                            ? "it was cancelled"
                            : state.refusal().detail());
        }
        return rule.failure(state.deliverySet(), state.countedReceipts());
    }
}
