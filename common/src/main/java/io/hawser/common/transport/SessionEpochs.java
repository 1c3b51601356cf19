package io.hawser.common.transport;

import io.hawser.common.model.NodeId;
import io.hawser.common.wire.Greeting;

/**
 * The greetings of a node: each later session has a higher epoch, also after a restart, since the data directory counts how
 * often it was opened.
 */
public final class SessionEpochs {
    private static final int SESSION_BITS = 32;

    private SessionEpochs() {}

    /** The greeting of the {@code session}-th session in the {@code opening}-th life of the node's data directory. */
    public static Greeting greeting(Greeting.Role role, NodeId node, long opening, long session) {
        return new Greeting(role, node, opening << SESSION_BITS | session);
    }
}
