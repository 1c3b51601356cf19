package io.hawser.store.storage;

/** The file system refuses for a reason that lies in names or rights and does not go away by itself. */
public final class PathRefusedException extends StorageException {
    private static final long serialVersionUID = 1;

    private final String reason;

    /** Creates the exception; {@code reason} is POSIX's message, such as {@code Directory not empty}. */
    public PathRefusedException(String message, String reason, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** POSIX's message alone. */
    public String reason() {
        return reason;
    }
}
