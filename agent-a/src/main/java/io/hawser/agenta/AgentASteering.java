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
    static final List<SteeringAction> ACTIONS = List.of(SteeringAction.CANCEL);

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
        return ended ? Optional.of("it has ended: " + status.state()) : Optional.empty();
    }

    @Override
    public Map<String, String> apply(SteeringCommand command, List<String> keys) throws IOException {
        String reason = "cancelled by " + command.by() + " at its publisher's node";
        return SteeringRun.<TransferKey>of(net.loop(), keys, (key, done) -> spool.recall(key, reason, done));
    }
}
