package io.hawser.common.transport;

/**
 * Whether a node has a session with its broker, and if not, why.
 *
 * <p>Thread: told on the loop, asked on any.
 */
public final class ConnectionState implements BrokerConnection.Listener {
    private volatile String problem = "not connected yet";

    @Override
    public void onConnected() {
        problem = "";
    }

    @Override
    public void onDisconnected(String reason) {
        problem = reason;
    }

    /** Whether a session is up. */
    public boolean isConnected() {
        return problem.isEmpty();
    }

    /** Why there is no session, as a sentence; empty if there is one. */
    public String problem() {
        return problem;
    }

    /** For health pages: {@code connected}, or {@link #problem}. */
    public String text() {
        return isConnected() ? "connected" : problem;
    }
}
