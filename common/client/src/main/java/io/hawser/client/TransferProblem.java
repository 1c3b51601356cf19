package io.hawser.client;

import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes in a phrase what a transfer waits for. Pure. */
final class TransferProblem {
    private TransferProblem() {}

    /**
     * What the transfer waits for; empty if it moves or is finished.
     *
     * @param connection why there is no session with a broker; empty if there is one
     * @param held why the hop sender holds the transfer; empty if it does not
     */
    static String of(TransferSnapshot state, String connection, String held) {
        if (state.phase().isFinal()) {
            return "";
        } else if (!connection.isEmpty()) {
            return "no session with the broker: " + connection;
        }
        return state.phase() == SpoolPhase.BROKERED ? missingReceipts(state) : held;
    }

    private static String missingReceipts(TransferSnapshot state) {
        String topic = state.manifest().topic().name();
        if (state.deliverySet().isEmpty() && state.receipts().isEmpty()) {
            return "the broker has it; " + topic + " has no subscription yet";
        }
        Optional<Receipt> dead = state.countedReceipts().stream()
                .filter(receipt -> receipt.status() == ReceiptStatus.DEAD)
                .findFirst();
        if (dead.isPresent()) {
            return dead.get().complaint();
        }
        Set<String> answered = state.receipts().stream()
                .filter(receipt -> receipt.status() != ReceiptStatus.LANDED)
                .map(Receipt::subscription)
                .collect(Collectors.toSet());
        List<String> missing = state.deliverySet().stream()
                .filter(subscription -> !answered.contains(subscription))
                .sorted()
                .toList();
        return missing.isEmpty() ? "" : "the broker has it; not delivered yet to " + String.join(", ", missing);
    }
}
