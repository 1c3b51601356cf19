package io.hawser.agenta;

import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringCommand;
import io.hawser.ops.steer.SteeringFilter;
import io.hawser.ops.steer.SteeringRun;
import io.hawser.ops.steer.TransferSteering;
import io.hawser.store.spool.Spool;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Steers the transfers that the spool knows.
 *
 * <p>Thread: the admin thread; it asks the loop.
 */
record AgentASteering(NodeThreads net, Spool spool, AgentAPages pages) implements TransferSteering {
    private static final List<SteeringAction> ACTIONS = List.of(SteeringAction.values());

    private static final Set<String> OVER = Set.of("finished", "cancelled");

    @Override
    public List<SteeringAction> actions() {
        return ACTIONS;
    }

    @Override
    public List<TransferStatus> find(SteeringFilter filter, int limit) throws IOException {
        return pages.find(
                state -> filter.isOfOne()
                        ? filter.key().equals(state.key().toString())
                        : filter.mayMean(
                                        state.manifest().topic().name(),
                                        state.manifest().name())
                                && (filter.state().isEmpty() || filter.state().equals(AgentAPages.word(state))),
                limit);
    }

    @Override
    public Optional<String> whyNot(SteeringAction action, TransferStatus status) {
        if (status.state().equals("not followed")) {
            return Optional.of("this node no longer follows it; ask the broker");
        }
        boolean ended = status.hop(HopStatus.PUBLISHER_TO_BROKER)
                .filter(hop -> OVER.contains(hop.state()))
                .isPresent();
        if (action == SteeringAction.RETRY) {
            return whyNoRetry(status);
        }
        if (ended) {
            return Optional.of("it has ended: " + status.state());
        }
        boolean isHeld = status.state().equals("held");
        return action == SteeringAction.RELEASE && !isHeld
                ? Optional.of("it is not held here")
                : action == SteeringAction.HOLD && isHeld ? Optional.of("it is held already") : Optional.empty();
    }

    /** What the broker has refused for good is kept here; for anything else another node has the bytes, or none. */
    private static Optional<String> whyNoRetry(TransferStatus status) {
        boolean isRefused = status.hop(HopStatus.PUBLISHER_TO_BROKER)
                .filter(hop -> hop.state().equals("refused"))
                .isPresent();
        if (isRefused) {
            return Optional.empty();
        }
        return Optional.of(
                switch (status.state()) {
                    case "dead" -> "it is on the dead-letter list of a far end: retry it at that agent-b";
                    case "failed", "expired", "cancelled" ->
                        "it has ended: " + status.state() + ", and its bytes are no longer here; upload it again";
                    default -> "it has not failed here";
                });
    }

    @Override
    public CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys) {
        String reason = "cancelled by " + command.by() + " at its publisher's node";
        SteeringRun.Step<TransferKey> step =
                switch (command.action()) {
                    case CANCEL -> (key, done) -> spool.recall(key, reason, done);
                    case HOLD -> (key, done) -> spool.hold(key, true, done);
                    case RELEASE -> (key, done) -> spool.hold(key, false, done);
                    case PRIORITY -> (key, done) -> spool.prioritise(key, command.priority(), done);
                    case RETRY -> spool::retry;
                };
        return SteeringRun.of(net.loop(), keys, step);
    }
}
