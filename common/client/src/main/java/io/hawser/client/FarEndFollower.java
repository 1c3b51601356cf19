package io.hawser.client;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.TransferKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Asks the broker how far transfers are at their far ends, and passes on what it answers about those that were asked about last.
 *
 * <p>Thread: the client's loop.
 */
final class FarEndFollower {
    private final HopSender sender;
    private Map<TransferKey, SentTransfer> asked = Map.of();

    FarEndFollower(HopSender sender) {
        this.sender = sender;
        sender.onFarEnds(this::told);
    }

    void ask(List<SentTransfer> transfers) {
        Map<TransferKey, SentTransfer> now = new HashMap<>();
        transfers.stream()
                .limit(HopMessage.AskProgress.MOST_ASKED)
                .forEach(transfer -> now.put(transfer.id().key(), transfer));
        asked = now;
        sender.askProgress(List.copyOf(now.keySet()));
    }

    private void told(List<FarEndProgress> lines) {
        lines.stream().collect(Collectors.groupingBy(FarEndProgress::key)).forEach((key, farEnds) -> {
            SentTransfer transfer = asked.get(key);
            if (transfer != null) {
                transfer.onFarEnds(farEnds);
            }
        });
    }
}
