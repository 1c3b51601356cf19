package io.hawser.ops.steer;

import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a node steers the transfers that it knows.
 *
 * <p>Thread: the admin thread; the methods may block for some seconds.
 */
public interface TransferSteering {
    /** The transfers that are meant, in any order; no more than {@code limit}. */
    List<TransferStatus> find(SteeringFilter filter, int limit) throws IOException;

    /** A sentence that says why the action does nothing for a transfer in that state; empty if it may do something. */
    Optional<String> whyNot(SteeringAction action, TransferStatus status);

    /**
     * Does it.
     *
     * @return by key an empty text if it is durable, else why it was not done
     */
    Map<String, String> apply(SteeringCommand command, List<String> keys) throws IOException;
}
