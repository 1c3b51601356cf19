package io.hawser.core.codec;

/** Bytes that are not what a field can be; the message says which. Its reader makes of it what it means there. */
public final class MalformedFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public MalformedFieldException(String message) {
        super(message);
    }

    MalformedFieldException(String message, Throwable cause) {
        super(message, cause);
    }
}
