package io.hawser.core.transport;

import io.hawser.core.config.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a node has a session with its broker and, if not, why.
 *
 * <p>Thread: changed on the loop, read on any.
 */
public final class ConnectionState implements BrokerConnection.Listener {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private volatile String problem = "not connected yet";
    private volatile long awaySinceNanos = System.nanoTime();

    @Override
    public void onConnected() {
        problem = "";
    }

    @Override
    public void onDisconnected(String reason) {
        if (isConnected()) {
            awaySinceNanos = System.nanoTime();
        }
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

    /** How long there has been no session, in milliseconds; 0 while there is one. */
    public long awayMillis() {
        return isConnected() ? 0 : (System.nanoTime() - awaySinceNanos) / NANOS_PER_MILLI;
    }

    /** A sentence for the operator if there has been no session for {@code warnAfter}; otherwise empty. */
    public Optional<String> warning(Duration warnAfter) {
        long away = awayMillis();
        return away < warnAfter.toMillis()
                ? Optional.empty()
                : Optional.of(
                        "no session with the broker for " + DurationText.text(away) + ": " + problem
                                + ". Start the broker, repair the network, or correct --broker; this node then resumes by itself");
    }

    /** For health pages: {@code connected}, or {@link #problem}. */
    public String text() {
        return isConnected() ? "connected" : problem;
    }
}
