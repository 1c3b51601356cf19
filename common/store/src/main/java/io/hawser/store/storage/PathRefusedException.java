package io.hawser.store.storage;

/** The file system refuses for a reason that lies in names or rights and does not go away by itself. */
public final class PathRefusedException extends StorageException {
    private static final long serialVersionUID = 1;

    /** What POSIX says of a rename from one file system to another. */
    static final String CROSS_DEVICE = "Invalid cross-device link";

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

    /** Whether the two paths of a rename are on different file systems. */
    public boolean isCrossDevice() {
        return reason.equals(CROSS_DEVICE);
    }
}
