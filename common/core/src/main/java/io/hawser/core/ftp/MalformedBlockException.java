package io.hawser.core.ftp;

/** Bytes on a data connection that violate MODE E. The message is for the user. */
public final class MalformedBlockException extends Exception {
    private static final long serialVersionUID = 1;

    public MalformedBlockException(String message) {
        super(message, null, false, false);
    }
}
