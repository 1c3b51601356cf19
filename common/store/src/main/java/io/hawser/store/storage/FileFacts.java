package io.hawser.store.storage;

/**
 * What the file system says of a path, without following a symbolic link. Together a file's fingerprint.
 *
 * @param sizeBytes its length
 * @param modifiedNanos last modification, nanoseconds since the epoch, as fine as the file system keeps it
 * @param fileKey device and inode, or an empty string where there is none
 * @param kind what it is
 */
public record FileFacts(long sizeBytes, long modifiedNanos, String fileKey, Kind kind) {
    /** The kind, size and times of the file at a path. */
    public enum Kind {
        FILE,
        DIRECTORY,
        SYMBOLIC_LINK,
        OTHER
    }

    /** The longest fingerprint, in characters. */
    public static final int MAX_FINGERPRINT_LENGTH = 128;

    /** A text that changes when the content may have changed; ASCII. */
    public String fingerprint() {
        String text = Long.toString(sizeBytes, Character.MAX_RADIX)
                + "." + Long.toString(modifiedNanos, Character.MAX_RADIX)
                + "." + fileKey;
        return text.substring(0, Math.min(text.length(), MAX_FINGERPRINT_LENGTH));
    }

    /** Whether it is a regular file. */
    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }
}
