package io.hawser.agentb;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringCommand;
import io.hawser.ops.steer.SteeringFilter;
import io.hawser.ops.steer.SteeringRun;
import io.hawser.ops.steer.TransferSteering;
import io.hawser.store.landing.LandingArea;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Steers the transfers that are in the landing area, at this destination alone.
 *
 * <p>Thread: the admin thread; it asks the loop.
 */
record AgentBSteering(NodeThreads net, LandingArea landing, AgentBPages pages) implements TransferSteering {
    private static final List<SteeringAction> ACTIONS =
            List.of(SteeringAction.CANCEL, SteeringAction.RETRY, SteeringAction.DROP);

    @Override
    public List<SteeringAction> actions() {
        return ACTIONS;
    }

    @Override
    public List<TransferStatus> find(SteeringFilter filter, int limit) throws IOException {
        return pages.find(filter.key()).stream()
                .filter(filter::means)
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<String> whyNot(SteeringAction action, TransferStatus status) {
        boolean isDead = status.state().equals("dead");
        if (action == SteeringAction.RETRY) {
            return isDead
                    ? Optional.empty()
                    : Optional.of("it is not on the dead-letter list, so that it is tried again by itself");
        }
        if (action == SteeringAction.DROP) {
            return isDead ? Optional.empty() : Optional.of("it is not on the dead-letter list: drop it at the broker");
        }
        return isDead || status.state().equals("committed")
                ? Optional.empty()
                : Optional.of("it is not complete here: cancel it at the broker or at its publisher");
    }

    @Override
    public CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys) {
        if (command.action() == SteeringAction.RETRY) {
            return SteeringRun.of(net.loop(), keys, landing::retryDead);
        }
        if (command.action() == SteeringAction.DROP) {
            return SteeringRun.of(net.loop(), keys, landing::dropDead);
        }
        String reason = "cancelled by " + command.by() + " at the destination";
        return SteeringRun.<Receipt>of(net.loop(), keys, (key, done) -> cancel(key, reason, done));
    }

    private void cancel(TransferKey key, String reason, Outcome.Callback<Receipt> done) {
        landing.cancelWhole(key, reason, outcome -> {
            boolean tooLate = !outcome.isRefused() && outcome.get().status() != ReceiptStatus.CANCELLED;
            done.accept(
                    tooLate
                            ? new Outcome<>(
                                    null, new Refusal(ErrorCode.NOT_FOUND, "it was faster: " + word(outcome.get())))
                            : outcome);
        });
    }

    private static String word(Receipt receipt) {
        return receipt.status() == ReceiptStatus.DELIVERED ? "it is delivered" : "it failed, " + receipt.problem();
    }
}
