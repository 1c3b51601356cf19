package io.hawser.broker.admin;

import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Explains, as a phrase for people, why a transfer does not move on the hop to a subscription. Thread: any. */
final class ConsumerStallReason {
    private ConsumerStallReason() {}

    /** What holds it back, or else what must happen next. */
    static String reason(
            OutgoingTransferStatus progress,
            SubscriptionSpec spec,
            @Nullable Commit commit,
            @Nullable Receipt receipt) {
        String problem = problem(receipt);
        if (!problem.isEmpty()) {
            return problem;
        }
        return progress.held().isEmpty() ? nextStep(progress, spec, commit) : progress.held();
    }

    /** What must happen next, by the terms and the ack level of the subscription; empty if nothing. */
    static String nextStep(OutgoingTransferStatus progress, @Nullable SubscriptionSpec spec, @Nullable Commit commit) {
        if (spec == null || progress.nextStep().isEmpty()) {
            return progress.nextStep();
        }
        boolean isThere = commit != null && progress.ackedBytes() == commit.sizeBytes() && commit.sizeBytes() > 0;
        if (spec.ackLevel() == AckLevel.CONSUMED && isThere) {
            return "its consumer has it and has not acknowledged it";
        }
        String next = progress.isSmall() && spec.ackLevel() == AckLevel.CONSUMED
                ? "it is in line or on its way with other small ones, or its consumer has it and has not acknowledged it"
                : progress.nextStep();
        long rate = spec.terms().maxRateBytesPerSecond();
        return rate == 0 || isThere
                ? next
                : next + String.format(Locale.ROOT, "; its subscription gets at most %,d bytes/s (--max-rate)", rate);
    }

    /** What the far end has said of one that it has and does not deliver; empty if nothing. */
    static String problem(@Nullable Receipt receipt) {
        if (receipt == null || receipt.problem().isEmpty()) {
            return "";
        }
        return receipt.status() == ReceiptStatus.DEAD
                ? "a dead letter at the far end: " + receipt.phrase() + ". There, 'hawser dead retry " + receipt.key()
                        + "' delivers it and 'hawser dead drop' discards it"
                : "the far end has it and cannot deliver it: " + receipt.reason();
    }
}
