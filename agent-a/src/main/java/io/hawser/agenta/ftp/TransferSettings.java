package io.hawser.agenta.ftp;

/**
 * What a client has said about its transfers. TYPE stands until it is changed; REST and ALLO are for the next transfer only.
 * The type is looked at when the transfer begins, not when its port was opened: curl sends EPSV before TYPE.
 *
 * <p>Thread: the loop.
 */
public final class TransferSettings {
    private boolean ascii = true; // RFC 959 section 5.1: the default is ASCII Non-print
    private long restartPositionBytes;
    private long announcedBytes = EndEvidence.NOT_ANNOUNCED;

    /** Sets TYPE A or TYPE I. */
    public void ascii(boolean on) {
        ascii = on;
    }

    /** Whether TYPE A is in force. */
    public boolean ascii() {
        return ascii;
    }

    /** Remembers REST. */
    public void restartAt(long positionBytes) {
        restartPositionBytes = positionBytes;
    }

    /** Remembers ALLO. */
    public void announce(long bytes) {
        announcedBytes = bytes;
    }

    /** The position of the last REST, 0 if there was none; it is used up. */
    public long takeRestartPosition() {
        long position = restartPositionBytes;
        restartPositionBytes = 0;
        return position;
    }

    /** The size of the last ALLO, or {@link EndEvidence#NOT_ANNOUNCED}; it is used up. */
    public long takeAnnounced() {
        long bytes = announcedBytes;
        announcedBytes = EndEvidence.NOT_ANNOUNCED;
        return bytes;
    }

    /** Back to what a new session has (USER, REIN). */
    public void reset() {
        ascii = true;
        takeRestartPosition();
        takeAnnounced();
    }
}
