package io.hawser.client.cli;

import io.hawser.client.SentTransfer;
import java.util.concurrent.CompletableFuture;

/** How far a transfer must have got before {@code hawser send} is content: the custody levels of the design. */
enum Wait {
    SPOOLED,
    BROKERED,
    LANDED,
    DELIVERED;

    CompletableFuture<?> of(SentTransfer transfer) {
        return switch (this) {
            case SPOOLED -> transfer.spooled();
            case BROKERED -> transfer.brokered();
            case LANDED -> transfer.landed();
            case DELIVERED -> transfer.delivered();
        };
    }
}
