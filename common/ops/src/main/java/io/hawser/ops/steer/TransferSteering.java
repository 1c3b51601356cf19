package io.hawser.ops.steer;

import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * How a node steers the transfers that it knows.
 *
 * <p>Thread: those of the admin pages; {@link #find} may block for some seconds.
 */
public interface TransferSteering {
    /** What this node does. */
    List<SteeringAction> actions();

    /** The transfers that are meant, in any order; no more than {@code limit}. */
    List<TransferStatus> find(SteeringFilter filter, int limit) throws IOException;

    /** A sentence that says why the action does nothing for a transfer in that state; empty if it may do something. */
    Optional<String> whyNot(SteeringAction action, TransferStatus status);

    /** The command that does what this node cannot do for a transfer in that state, at the node that can; empty if none can. */
    default String commandElsewhere(SteeringAction action, TransferStatus status) {
        return "";
    }

    /**
     * Does it, without a wait.
     *
     * @return by key an empty text when it is durable, else why it was not done
     */
    CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys);
}
