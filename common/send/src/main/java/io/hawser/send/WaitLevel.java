package io.hawser.send;

import io.hawser.client.SentTransfer;
import io.hawser.core.model.CompletionRule;
import java.util.concurrent.CompletableFuture;

/** The custody level that {@code hawser send} waits for. Thread: any. */
public enum WaitLevel {
    SPOOLED,
    BROKERED,
    LANDED,
    DELIVERED;

    /** Whether subscriptions have a say in it. */
    public boolean needsReceipts() {
        return compareTo(LANDED) >= 0;
    }

    /** @param rule how many subscriptions must have come so far */
    public CompletableFuture<?> of(SentTransfer transfer, CompletionRule rule) {
        return switch (this) {
            case SPOOLED -> transfer.spooled();
            case BROKERED -> transfer.brokered();
            case LANDED -> rule.equals(CompletionRule.ALL) ? transfer.landed() : transfer.landedAtAny(rule.count());
            case DELIVERED ->
                rule.equals(CompletionRule.ALL) ? transfer.delivered() : transfer.deliveredAtAny(rule.count());
        };
    }
}
