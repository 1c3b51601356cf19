package io.hawser.agenta;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.OutgoingTransferStatus;
import io.hawser.core.hop.Refusal;
import io.hawser.core.transport.ConnectionState;
import io.hawser.ops.observe.StallCause;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Collection;
import java.util.Optional;

/**
 * Finds what agent-a has accepted and what does not move, with its cause. What waits in line while others move is not stalled, and what
 * only receipts are missing of is the broker's to say.
 *
 * <p>Thread: the loop.
 */
record SpoolStalls(HopSender sender, ConnectionState broker) {
    void find(Collection<TransferSnapshot> states, StalledTransfers stalled) {
        states.stream()
                .filter(state ->
                        state.commit() != null && !state.phase().isFinal() && !state.lacksRight() && !state.held())
                .forEach(state -> add(state, stalled));
    }

    private void add(TransferSnapshot state, StalledTransfers stalled) {
        String name = state.manifest().name();
        if (state.phase() == SpoolPhase.BROKERED) {
            if (state.deliverySet().isEmpty()) {
                String reason = "no subscription of topic " + state.manifest().topic() + " has come for it";
                stalled.add(StallCause.UNCLAIMED, name, reason, state.idleMillis());
            }
            return;
        }
        Optional<OutgoingTransferStatus> progress = sender.progress(state.key());
        long idleMillis = progress.map(OutgoingTransferStatus::idleMillis).orElse(state.idleMillis());
        Refusal refusal = sender.refusal(state.key()).orElse(null);
        if (!broker.isConnected()) {
            stalled.add(
                    StallCause.BROKER_AWAY,
                    name,
                    "no session with the broker: " + broker.problem(),
                    Math.min(idleMillis, broker.awayMillis()));
        } else if (refusal != null) {
            StallCause cause = refusal.code() == ErrorCode.NO_SPACE ? StallCause.NO_SPACE : StallCause.REFUSED;
            stalled.add(cause, name, refusal.code() + ": " + refusal.detail(), idleMillis);
        } else {
            boolean behind = progress.map(OutgoingTransferStatus::held)
                    .filter(held -> !held.isEmpty())
                    .isPresent();
            stalled.add(
                    behind ? StallCause.PATH_ORDER : StallCause.OTHER,
                    name,
                    progress.map(OutgoingTransferStatus::reason).orElse("it is not offered to the broker yet"),
                    Math.min(idleMillis, sender.idleMillis()));
        }
    }
}
