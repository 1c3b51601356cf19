package io.hawser.ptcp.session;

/**
 * Tracks an orderly close until it is complete. Both sides end their directions of all streams. A side that received CLOSE sends CLOSED
 * when all that was sent to it arrived. The side that sent CLOSE hangs up when it received CLOSED and all that was sent to it.
 *
 * <p>Thread: the session's loop only.
 */
public final class CloseProgress {
    private boolean asked;
    private boolean wasAsked;
    private boolean closedSent;
    private boolean closedHeard;

    /** This side sent CLOSE. */
    public void onCloseSent() {
        asked = true;
    }

    /** The peer sent CLOSE. */
    public void onCloseHeard() {
        wasAsked = true;
    }

    /** The peer sent CLOSED. */
    public void onClosedHeard() {
        closedHeard = true;
    }

    /**
     * Whether CLOSED is due; true once.
     *
     * @param streamsStillEnding live streams whose inbound direction has not ended
     */
    public boolean takeClosedDue(int streamsStillEnding) {
        boolean due = wasAsked && !closedSent && streamsStillEnding == 0;
        closedSent |= due;
        return due;
    }

    /** Whether this side may hang up. */
    public boolean isComplete(int streamsStillEnding) {
        return asked && closedHeard && streamsStillEnding == 0 && (!wasAsked || closedSent);
    }
}
