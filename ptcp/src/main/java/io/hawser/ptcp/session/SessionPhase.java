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
    /** The handshake is under way; the user has heard nothing yet. */
    OPENING,
    /** Messages and packets flow both ways. */
    OPEN,
    /** One side asked for an orderly end: nothing new leaves, what is on its way still arrives. */
    CLOSING,
    /** Over. */
    CLOSED;

    /**
     * The phase after a legal move.
     *
     * @throws IllegalStateException if there is no way from this phase to {@code next}
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
