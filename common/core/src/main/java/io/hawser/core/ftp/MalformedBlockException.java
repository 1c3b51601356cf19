package io.hawser.core.ftp;

/** What came is no MODE E, or contradicts itself. The message is for the user. */
public final class MalformedBlockException extends Exception {
    private static final long serialVersionUID = 1;

    /** Says why, for the peer. */
    public MalformedBlockException(String message) {
        super(message, null, false, false);
    }
}
