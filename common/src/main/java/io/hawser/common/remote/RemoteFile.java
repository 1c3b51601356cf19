package io.hawser.common.remote;

/**
 * A file or directory at the far edge.
 *
 * @param name its last segment
 * @param kind what it is
 * @param sizeBytes a file's size; 0 for a directory
 * @param modifiedMillis when it was modified, milliseconds since the epoch
 * @param mode the nine permission bits of POSIX
 * @param fingerprint changes when the content may have changed (size, time, inode); at most {@value #MAX_FINGERPRINT_LENGTH}
 *     characters of ASCII
 */
public record RemoteFile(String name, Kind kind, long sizeBytes, long modifiedMillis, int mode, String fingerprint) {
    public static final int MAX_FINGERPRINT_LENGTH = 128;

    /** What the fingerprint of a file begins with that can only be replaced as a whole, such as one at a far server that tells no times. */
    public static final String WHOLE_ONLY_PREFIX = "whole:";

    /** What stands at a name. */
    public enum Kind {
        FILE,
        DIRECTORY
    }

    /** The same under another name. */
    public RemoteFile named(String other) {
        return new RemoteFile(other, kind, sizeBytes, modifiedMillis, mode, fingerprint);
    }

    /** The same with another time. */
    public RemoteFile modified(long millis) {
        return new RemoteFile(name, kind, sizeBytes, millis, mode, fingerprint);
    }

    /** Whether a part of it can be replaced. */
    public boolean takesPatches() {
        return !fingerprint.startsWith(WHOLE_ONLY_PREFIX);
    }

    /** Whether it is a directory. */
    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }
}
