package io.hawser.agenta.ftp;

/**
 * What a client has said about its transfers. TYPE stands until it is changed; REST and ALLO are for the next transfer only.
 * The type is looked at when the transfer begins, not when its port was opened: curl sends EPSV before TYPE.
 *
 * <p>Thread: the loop.
 */
public final class TransferSettings {
    private static final int LEAST_SOCKET_BUFFER_BYTES = 16 << 10;
    /** The kernel's memory is shared by all: what one client may ask of it is bounded. */
    private static final int MOST_SOCKET_BUFFER_BYTES = 16 << 20;

    private boolean ascii = true; // RFC 959 section 5.1: the default is ASCII Non-print
    private long restartPositionBytes;
    private int socketBufferBytes;
    private long announcedBytes = EndEvidence.NOT_ANNOUNCED;

    /** Sets TYPE A or TYPE I. */
    public void ascii(boolean on) {
        ascii = on;
    }

    /** Whether TYPE A is in force. */
    public boolean ascii() {
        return ascii;
    }

    /** Sets the socket buffers of data connections, within bounds; 0 leaves them to the system. Returns what is set. */
    public int socketBuffers(long bytes) {
        socketBufferBytes =
                bytes == 0 ? 0 : (int) Math.max(LEAST_SOCKET_BUFFER_BYTES, Math.min(MOST_SOCKET_BUFFER_BYTES, bytes));
        return socketBufferBytes;
    }

    /** The socket buffers of data connections, or 0. */
    int socketBufferBytes() {
        return socketBufferBytes;
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
        socketBufferBytes = 0;
        takeRestartPosition();
        takeAnnounced();
    }
}
