package io.hawser.ptcp.session;

/**
 * The phases of a session.
 *
 * <pre>
 *   OPENING ──► OPEN ──► CLOSING ──► CLOSED
 *      │          │                    ▲
 *      └──────────┴────────────────────┘
 * </pre>
 */
public enum SessionPhase {
    /** During the handshake; the handler was not called yet. */
    OPENING,
    /** Messages and packets flow both ways. */
    OPEN,
    /** One side sent CLOSE: nothing new leaves, packets in flight still arrive. */
    CLOSING,
    /** Ended. */
    CLOSED;

    /**
     * The phase after a legal move.
     *
     * @throws IllegalStateException if {@code next} cannot follow this phase
     */
    public SessionPhase to(SessionPhase next) {
        boolean legal =
                switch (next) {
                    case OPENING -> false;
                    case OPEN -> this == OPENING;
                    case CLOSING -> this == OPEN;
                    case CLOSED -> this != CLOSED;
                };
        if (!legal) {
            throw new IllegalStateException("a session cannot go from " + this + " to " + next);
        }
        return next;
    }
}
