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

/**
 * Steers the transfers that the spool knows.
 *
 * <p>Thread: the admin thread; it asks the loop.
 */
record AgentASteering(NodeThreads net, Spool spool, AgentAPages pages) implements TransferSteering {
    /** What this node does. */
    static final List<SteeringAction> ACTIONS =
            List.of(SteeringAction.CANCEL, SteeringAction.HOLD, SteeringAction.RELEASE, SteeringAction.PRIORITY);

    private static final Set<String> OVER = Set.of("finished", "cancelled");

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
        if (ended) {
            return Optional.of("it has ended: " + status.state());
        }
        boolean isHeld = status.state().equals("held");
        return action == SteeringAction.RELEASE && !isHeld
                ? Optional.of("it is not held here")
                : action == SteeringAction.HOLD && isHeld ? Optional.of("it is held already") : Optional.empty();
    }

    @Override
    public Map<String, String> apply(SteeringCommand command, List<String> keys) throws IOException {
        String reason = "cancelled by " + command.by() + " at its publisher's node";
        SteeringRun.Step<TransferKey> step =
                switch (command.action()) {
                    case CANCEL -> (key, done) -> spool.recall(key, reason, done);
                    case HOLD -> (key, done) -> spool.hold(key, true, done);
                    case RELEASE -> (key, done) -> spool.hold(key, false, done);
                    case PRIORITY -> (key, done) -> spool.prioritise(key, command.priority(), done);
                    case RETRY -> throw new IllegalArgumentException("no retry here");
                };
        return SteeringRun.of(net.loop(), keys, step);
    }
}
