package io.hawser.core.remote;

/**
 * The metadata of a file or directory at the far end.
 *
 * @param name its last segment
 * @param kind file or directory
 * @param sizeBytes a file's size; 0 for a directory
 * @param modifiedMillis when it was modified, milliseconds since the epoch
 * @param mode the nine permission bits of POSIX
 * @param fingerprint changes when the content may have changed (size, time, inode); at most {@value #MAX_FINGERPRINT_LENGTH}
 *     characters of ASCII
 */
public record RemoteFile(String name, Kind kind, long sizeBytes, long modifiedMillis, int mode, String fingerprint) {
    public static final int MAX_FINGERPRINT_LENGTH = 128;

    /** Prefix of the fingerprint of a file that can only be replaced as a whole, such as one at a far server that reports no times. */
    public static final String WHOLE_ONLY_PREFIX = "whole:";

    /** Prefix of the fingerprint of a symbolic link, which has the facts of its target and is not written through. */
    public static final String LINK_PREFIX = "link:";

    /** Prefix of the fingerprint of a path below a symbolic link. */
    public static final String BELOW_LINK_PREFIX = "below-link:";

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

    /** Whether parts of it can be replaced. */
    public boolean takesPatches() {
        return !fingerprint.startsWith(WHOLE_ONLY_PREFIX) && !isLink() && !isBelowLink();
    }

    /** Whether it is a symbolic link, which can be renamed and deleted. */
    public boolean isLink() {
        return fingerprint.startsWith(LINK_PREFIX);
    }

    /** Whether a directory above it is a symbolic link, so that nothing can be changed by this name. */
    public boolean isBelowLink() {
        return fingerprint.startsWith(BELOW_LINK_PREFIX);
    }

    /** The fingerprint without its prefix for links. */
    public static String withoutLinks(String fingerprint) {
        if (fingerprint.startsWith(LINK_PREFIX)) {
            return fingerprint.substring(LINK_PREFIX.length());
        }
        return fingerprint.startsWith(BELOW_LINK_PREFIX)
                ? fingerprint.substring(BELOW_LINK_PREFIX.length())
                : fingerprint;
    }

    /** Whether {@code name} is one segment, and neither {@code .} nor {@code ..}. */
    static boolean isEntryName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf('\0') < 0;
    }

    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }
}
