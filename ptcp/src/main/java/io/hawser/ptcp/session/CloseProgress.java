package io.hawser.ptcp.session;

/**
 * Tracks an orderly close until it is complete. Both sides end their directions of all streams; a side says CLOSED when it was asked
 * to close and everything that was sent to it has arrived. The side that asked is done when it has heard CLOSED and has received
 * everything too; the other one leaves it to that side to hang up.
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

    /** Whether the peer asked first or alone. */
    public boolean wasAsked() {
        return wasAsked;
    }

    /**
     * Whether CLOSED is to be sent now; true once.
     *
     * @param streamsStillEnding streams that are alive and have not ended their direction to this side
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
