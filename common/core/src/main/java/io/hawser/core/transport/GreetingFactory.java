package io.hawser.core.transport;

import io.hawser.core.model.NodeId;
import io.hawser.core.wire.Greeting;

/**
 * Makes a node's greetings. Each session has a higher epoch than the one before, also after a restart: the data directory counts how often
 * it was opened.
 */
public final class GreetingFactory {
    private static final int SESSION_BITS = 32;

    private GreetingFactory() {}

    /** The greeting of the {@code session}-th session after the {@code opening}-th opening of the node's data directory. */
    public static Greeting greeting(Greeting.Role role, NodeId node, long opening, long session) {
        return new Greeting(role, node, opening << SESSION_BITS | session);
    }
}
