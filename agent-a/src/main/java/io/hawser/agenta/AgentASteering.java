package io.hawser.agenta;

import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.NodeThreads;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.DeadLetterRetry;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringCommand;
import io.hawser.ops.steer.SteeringFilter;
import io.hawser.ops.steer.SteeringObstacle;
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
    private static final List<SteeringAction> ACTIONS = List.of(
            SteeringAction.CANCEL,
            SteeringAction.RETRY,
            SteeringAction.HOLD,
            SteeringAction.RELEASE,
            SteeringAction.PRIORITY);

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
        Optional<String> hop = status.hop(HopStatus.PUBLISHER_TO_BROKER).map(HopStatus::state);
        if (action != SteeringAction.RETRY) {
            return SteeringObstacle.of(
                    action, status.state(), hop.filter(OVER::contains).isPresent());
        }
        // What the broker has refused for good is kept here; for anything else another node has the bytes, or none.
        return hop.filter("refused"::equals).isPresent()
                ? Optional.empty()
                : Optional.of(SteeringObstacle.ofRetry(status, "its bytes are no longer here; upload it again"));
    }

    @Override
    public String commandElsewhere(SteeringAction action, TransferStatus status) {
        return action == SteeringAction.RETRY && DeadLetterRetry.isFor(status) ? DeadLetterRetry.command(status) : "";
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
                    case DROP -> throw new AssertionError("no action of this node");
                };
        return SteeringRun.of(net.loop(), keys, step);
    }
}
