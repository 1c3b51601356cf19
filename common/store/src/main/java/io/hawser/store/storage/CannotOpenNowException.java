package io.hawser.store.storage;

/** It could not be opened, for a reason that may pass, so nothing was asked of the disk that could have failed half-way. */
public final class CannotOpenNowException extends StorageException {
    private static final long serialVersionUID = 1;

    public CannotOpenNowException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether all that is missing is a file descriptor, which says nothing of the disk. */
    public boolean isForWantOfDescriptors() {
        return DescriptorWait.areLacking(this);
    }
}
